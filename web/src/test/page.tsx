import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { makeRouter } from "@/app/router";
import { show } from "./render";

/** For what a page shows first, on a machine that has other things to do. */
export const SLOW = { timeout: 8000 };

/** The whole app at an address, as a person opens it. */
export function open(path: string) {
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }));
  show(<RouterProvider router={router} />, { bare: true });
  return router;
}

/** What loads on demand is fetched first: React does not draw what arrives outside of an awaited action in a test. */
export const fetched =
  (...parts: (() => Promise<unknown>)[]) =>
  () =>
    Promise.all(parts.map((part) => part())).then(() => undefined);

export const sessionFetched = fetched(
  () => import("@/app/pages/session"),
  () => import("@/features/conversation/detail/task-detail"),
  () => import("@/features/conversation/detail/diff-files"),
  () => import("@/shared/ui/markdown-renderer"),
);
