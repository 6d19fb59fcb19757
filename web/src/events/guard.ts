import { say, t } from "@/shared/i18n/t";
import { listed } from "@/shared/lib/numbers";
import { amount } from "@/shared/lib/words";
import { line, TASK, type Family } from "./entry";

export const GUARD_EVENTS: Family<"guard"> = {
  "guard.timeout": {
    live: null,
    stale: [],
    timeline: ({ data }) =>
      line(say(t.events.timeout, { limit: data.limit, seconds: Math.round(data.seconds) }), "bad"),
  },
  "guard.absent": { live: null, stale: [], timeline: () => line(t.events.absent, "bad") },
  "guard.strays": {
    live: null,
    stale: ["state"],
    timeline: ({ data: { ended, remaining } }) =>
      remaining.length > 0
        ? line(say(t.events.remaining, { processes: listed(remaining) }), "bad")
        : line(say(t.events.strays, { count: ended.length }), "dim"),
  },
  "guard.breaker": {
    live: null,
    stale: [],
    timeline: ({ data }) =>
      line(say(t.guardEvents.breaker, { reason: data.reason }), data.state === "CLOSED" ? "strong" : "bad"),
  },
  "guard.limit": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(say(t.guardEvents.limit, { message: data.message }), "bad"),
  },
  "guard.budget": {
    live: null,
    stale: [],
    timeline: ({ data: { kind, spent, limit } }) =>
      line(say(t.guardEvents.budget, { spent: amount(kind, spent), limit: amount(kind, limit) }), "bad"),
  },
  "guard.decided": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.guardEvents.decided, { choice: data.choice }), "strong"),
  },
};
