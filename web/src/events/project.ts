import type { Family } from "./entry";

export const PROJECT_EVENTS: Family<"project" | "workspace" | "settings"> = {
  "project.added": { live: null, stale: ["projects"], timeline: null },
  "project.changed": { live: null, stale: ["projects"], timeline: null },
  "project.checks_changed": { live: null, stale: ["commands"], timeline: null },
  "workspace.held": {
    live: (live, { data }) => ({
      ...live,
      holds: { ...live.holds, [data.workspace_id]: { held: true, reason: data.reason } },
    }),
    stale: ["queues", "projects"],
    timeline: null,
  },
  "workspace.released": {
    live: (live, { data }) => ({ ...live, holds: { ...live.holds, [data.workspace_id]: { held: false, reason: "" } } }),
    stale: ["queues", "projects"],
    timeline: null,
  },
  "settings.changed": { live: null, stale: ["settings", "agents"], timeline: null },
};
