import type { Family } from "./entry";

export const SETTING_EVENTS: Family<"settings"> = {
  "settings.changed": { live: null, stale: ["settings", "agents"], timeline: null },
};
