import { t } from "@/shared/i18n/t";
import { line, type Family } from "./entry";

export const USAGE_EVENTS: Family<"usage" | "context"> = {
  "usage.recorded": { live: null, stale: ["usage"], timeline: null },
  "usage.model_differs": {
    live: null,
    stale: ["state", "session"],
    timeline: ({ data }) => line(t.events.modelDiffers(data.requested_model, data.model), "ask"),
  },
  "context.filled": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(t.events.filled(Math.floor((100 * data.tokens) / data.window)), "ask"),
  },
  "context.compacted": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(t.events.compacted(data.reason === "full"), "strong"),
  },
};
