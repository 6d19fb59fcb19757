import { useEffect } from "react";

const WAIT_MS = 3000;

/** Every part that loads when it is needed. */
const PARTS: (() => Promise<unknown>)[] = [
  () => import("./pages/session"),
  () => import("@/shared/ui/markdown-renderer"),
  () => import("@/features/conversation/detail/task-detail"),
  () => import("@/features/conversation/detail/diff-files"),
  () => import("./pages/home"),
  () => import("./pages/new-chat"),
  () => import("@/features/queue/queue-page"),
  () => import("@/features/projects/projects-page"),
  () => import("./pages/checks"),
  () => import("@/features/conversation/awaiting/merge-diff"),
  () => import("@/features/runner/runner-page"),
  () => import("./pages/usage"),
  () => import("./pages/settings"),
  () => import("@/features/palette/palette"),
  () => import("@/features/palette/keys-dialog"),
];

/** Once the first page stands, the others are fetched too: a server that goes away later must not close them. */
export function usePrefetch(up: boolean): void {
  useEffect(() => {
    if (!up) return;
    const timer = setTimeout(() => {
      void Promise.allSettled(PARTS.map((part) => part()));
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [up]);
}
