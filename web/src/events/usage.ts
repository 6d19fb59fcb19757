import { say, t } from "@/shared/i18n/t";
import { line, type Family } from "./entry";

export const USAGE_EVENTS: Family<"usage" | "context"> = {
  "usage.recorded": { live: null, stale: ["usage"], timeline: null },
  "usage.model_differs": {
    live: null,
    stale: ["state", "session"],
    timeline: ({ data }) => line(say(t.model_differs, { requested: data.requested_model, model: data.model }), "ask"),
  },
  "context.filled": {
    live: null,
    stale: [],
    timeline: ({ data }) => {
      const percent = Math.floor((100 * data.tokens) / data.window);
      return line(say(percent >= 95 ? t.events.filledUp : t.events.filled, { percent }), "ask");
    },
  },
  "context.compacted": {
    live: null,
    stale: [],
    timeline: ({ data }) =>
      line(say(t.events.compacted, { why: t.compaction[data.reason === "full" ? "full" : "pressure"] }), "strong"),
  },
};
