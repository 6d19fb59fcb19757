import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { Toasts } from "@/shared/ui/toast";

/** With `bare`, what is shown brings its own place for messages. */
export function show(children: ReactNode, { bare = false } = {}) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" }, mutations: { networkMode: "always" } },
  });
  const wrap = (inner: ReactNode) => (
    <QueryClientProvider client={client}>
      {inner}
      {!bare && <Toasts />}
    </QueryClientProvider>
  );
  const view = render(wrap(children));
  return {
    ...view,
    client,
    again: (next: ReactNode) => view.rerender(wrap(next)),
  };
}
