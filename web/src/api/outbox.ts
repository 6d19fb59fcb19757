import { create } from "zustand";
import { ApiError, errorFrom, OfflineError } from "./errors";
import { randomKey } from "./ids";
import { shelf, type Shelf } from "./storage";

/** Something the person did while the server could not be reached. */
export interface Waiting {
  key: string;
  path: string;
  body: unknown;
  label: string;
  /** Where the person's own words go back to when the server refuses them later. */
  draft: { key: string; text: string } | null;
}

export type Post = (path: string, body: unknown, key: string) => Promise<unknown>;

const SHELF_KEY = "pilothouse.outbox";
const ANSWERS = ["reply", "answers", "permission"];

function isWaiting(value: unknown): value is Waiting {
  return (
    typeof value === "object" &&
    value !== null &&
    "key" in value &&
    "path" in value &&
    "label" in value &&
    "draft" in value
  );
}

function kept(from: Shelf): Waiting[] {
  const text = from.read(SHELF_KEY);
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isWaiting) : [];
  } catch {
    return [];
  }
}

export const post: Post = async (path, body, key) => {
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new OfflineError();
  }
  if (response.status === 502 || response.status === 504) throw new OfflineError();
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorFrom(response.status, answer);
  return answer;
};

export interface Refusal {
  waiting: Waiting;
  error: ApiError;
}

interface Outbox {
  waiting: Waiting[];
  add: (path: string, body: unknown, label: string, draft?: Waiting["draft"], key?: string) => Waiting;
  /** Sends everything that waits, oldest first, each under the key it was given when it was made. */
  flush: (send?: Post) => Promise<{ sent: Waiting[]; refused: Refusal[] }>;
}

let flushing: Promise<{ sent: Waiting[]; refused: Refusal[] }> | null = null;

export const useOutbox = create<Outbox>()((set, get) => {
  const keep = (waiting: Waiting[]) => {
    set({ waiting });
    shelf.write(SHELF_KEY, waiting.length > 0 ? JSON.stringify(waiting) : null);
  };
  const run = async (send: Post) => {
    const sent: Waiting[] = [];
    const refused: Refusal[] = [];
    for (let first = get().waiting[0]; first; first = get().waiting[0]) {
      const item = first;
      try {
        await send(item.path, item.body, item.key);
        sent.push(item);
      } catch (error) {
        // Logged out or unreachable: it waits on. Anything else is the server's last word on it.
        if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) break;
        if (error.code === "already_done") sent.push(item);
        else refused.push({ waiting: item, error });
      }
      keep(get().waiting.filter((other) => other.key !== item.key));
    }
    return { sent, refused };
  };
  return {
    waiting: kept(shelf),
    add: (path, body, label, draft = null, key = randomKey()) => {
      const item: Waiting = { key, path, body, label, draft };
      keep([...get().waiting, item]);
      return item;
    },
    flush: (send = post) => {
      flushing ??= run(send).finally(() => {
        flushing = null;
      });
      return flushing;
    },
  };
});

/** What the person answered to a task while the server was away, and has not been sent yet. */
export function useKeptAnswer(taskId: string): Waiting | null {
  const start = `/api/tasks/${encodeURIComponent(taskId)}/`;
  return useOutbox(({ waiting }) => waiting.find(({ path }) => ANSWERS.some((verb) => path === start + verb)) ?? null);
}
