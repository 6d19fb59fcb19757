import { t } from "@/shared/i18n/t";
import { line, TASK, type Family } from "./entry";

export const GUARD_EVENTS: Family<"guard"> = {
  "guard.timeout": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(t.events.timeout(data.limit, data.seconds), "bad"),
  },
  "guard.absent": { live: null, stale: [], timeline: () => line(t.events.absent, "bad") },
  "guard.strays": {
    live: null,
    stale: ["state"],
    timeline: ({ data: { ended, remaining } }) =>
      remaining.length > 0
        ? line(t.events.remaining(remaining.join(", ")), "bad")
        : line(t.events.strays(ended.length), "dim"),
  },
  "guard.breaker": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(t.guardEvents.breaker(data.reason), data.state === "CLOSED" ? "strong" : "bad"),
  },
  "guard.limit": { live: null, stale: [], timeline: ({ data }) => line(t.guardEvents.limit(data.message), "bad") },
  "guard.budget": {
    live: null,
    stale: [],
    timeline: ({ data: { kind, spent, limit } }) => line(t.guardEvents.budget(kind, spent, limit), "bad"),
  },
  "guard.decided": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(t.guardEvents.decided(data.choice), "strong"),
  },
};
