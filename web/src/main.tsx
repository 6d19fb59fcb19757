import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "@/api/errors";
import "./app/app.css";
import { makeRouter } from "./app/router";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The socket says when something is stale; asking again on every focus would only add load.
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      networkMode: "always",
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
    },
    // Offline work is kept by the outbox, not paused here where nobody sees it.
    mutations: { networkMode: "always" },
  },
});

// The scroll lock of dialogs adds a style element, which the content security policy allows by this word only.
const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content;
if (nonce) setNonce(nonce);

const router = makeRouter();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
