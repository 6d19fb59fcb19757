import { useCallback, useSyncExternalStore } from "react";
import { shelf } from "@/api/storage";

const PREFIX = "pilothouse.draft.";
const memory = new Map<string, string>();
const listeners = new Set<() => void>();

export function readDraft(key: string): string {
  const held = memory.get(key);
  if (held !== undefined) return held;
  const kept = shelf.read(PREFIX + key) ?? "";
  memory.set(key, kept);
  return kept;
}

export function writeDraft(key: string, text: string): void {
  memory.set(key, text);
  shelf.write(PREFIX + key, text === "" ? null : text);
  for (const tell of listeners) tell();
}

/** Puts words back that were taken out of a box, without losing what stands there now. */
export function returnToDraft(key: string, text: string): void {
  const present = readDraft(key);
  if (present.trim() === text.trim()) return;
  writeDraft(key, present.trim() === "" ? text : `${text}\n\n${present}`);
}

/** Text that outlives live updates, navigation and a reload. */
export function useDraft(key: string): [string, (text: string) => void] {
  const subscribe = useCallback((tell: () => void) => {
    listeners.add(tell);
    return () => {
      listeners.delete(tell);
    };
  }, []);
  const text = useSyncExternalStore(subscribe, () => readDraft(key));
  const set = useCallback((next: string) => writeDraft(key, next), [key]);
  return [text, set];
}

export const draftKeys = {
  session: (projectId: string, slug: string) => `session.${projectId}.${slug}`,
  reply: (taskId: string) => `reply.${taskId}`,
  /** A form that is filled in half. */
  form: (taskId: string) => `form.${taskId}`,
  newChat: "new",
  /** What was set beside the words of another draft. */
  options: (draftKey: string) => `options.${draftKey}`,
  /** The stuck task whose report the next message of a thread starts from. */
  fromStuck: (projectId: string, slug: string) => `stuck.${projectId}.${slug}`,
};
