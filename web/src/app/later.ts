import { useEffect } from "react";

const WAIT_MS = 3000;

type Part = () => Promise<unknown>;

/** What shows a thread and what is said in it. */
const THREAD: Part[] = [() => import("./pages/session"), () => import("@/shared/ui/markdown-rendered")];

/** Every part that loads when it is needed. */
const PARTS: Part[] = [
  ...THREAD,
  () => import("@/features/conversation/detail/task-detail"),
  () => import("@/features/conversation/detail/diff-files"),
  () => import("./pages/home"),
  () => import("./pages/new-chat"),
  () => import("@/features/queue/queue-page"),
  () => import("@/features/projects/projects-page"),
  () => import("./pages/checks"),
  () => import("@/features/conversation/waiting/merged-diff"),
  () => import("@/features/runner/runner-page"),
  () => import("./pages/usage"),
  () => import("./pages/settings"),
  () => import("@/features/palette/palette"),
  () => import("@/features/palette/keys-dialog"),
];

const fetchAll = (parts: Part[]) => void Promise.allSettled(parts.map((part) => part()));

/** Whoever is about to begin a thread will want to see it at once: its parts are fetched while they write. */
export function useThreadParts(stands: boolean): void {
  useEffect(() => {
    if (stands) fetchAll(THREAD);
  }, [stands]);
}

/** Once the first page stands, the others are fetched too: a server that goes away later must not close them. */
export function useLaterParts(up: boolean): void {
  useEffect(() => {
    if (!up) return;
    const timer = setTimeout(() => {
      fetchAll(PARTS);
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [up]);
}
