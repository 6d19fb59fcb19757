import type { StreamItem } from "@/api/types";
import { isEventType } from "./table";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Whether an item is one this page knows. Types of a newer server are passed over, not guessed at. */
function isItem(value: unknown): value is StreamItem {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case "event":
      return (
        isRecord(value.event) &&
        typeof value.event.seq === "number" &&
        typeof value.event.type === "string" &&
        isEventType(value.event.type)
      );
    case "output":
      return typeof value.task_id === "string" && typeof value.offset === "number" && typeof value.text === "string";
    case "progress":
    case "usage":
      return typeof value.task_id === "string";
    case "notification":
      return typeof value.title === "string" && typeof value.tag === "string";
    case "queue":
    case "runner":
    case "ready":
    case "ping":
      return true;
    default:
      return false;
  }
}

export interface Frame {
  items: StreamItem[];
  /** The highest event number in the frame, known types or not, so that the cursor never stands still. */
  seq: number;
}

export function readFrame(text: string): Frame {
  const value: unknown = JSON.parse(text);
  const raw: unknown[] = Array.isArray(value) ? value : [value];
  let seq = 0;
  for (const item of raw) {
    if (isRecord(item) && item.type === "event" && isRecord(item.event) && typeof item.event.seq === "number") {
      seq = Math.max(seq, item.event.seq);
    }
  }
  return { items: raw.filter(isItem), seq };
}
