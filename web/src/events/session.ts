import type { Family } from "./entry";
import { NEW_SESSION } from "./state";

export const SESSION_EVENTS: Family<"project" | "session" | "workspace"> = {
  "project.added": { live: null, stale: ["projects"], timeline: null },
  "project.changed": { live: null, stale: ["projects"], timeline: null },
  "project.checks_changed": { live: null, stale: ["commands"], timeline: null },
  "project.checks_accepted": { live: null, stale: ["commands"], timeline: null },
  "session.created": { live: null, stale: ["sessions", "session", "projects"], timeline: null },
  "session.changed": {
    live: (live, { session_id: id, data: { title, archived, deleted } }) => {
      if (!id) return live;
      const known = live.sessions[id] ?? NEW_SESSION;
      const session = {
        ...known,
        title: title ?? known.title,
        archived: archived ?? known.archived,
        deleted: deleted ?? known.deleted,
      };
      return { ...live, sessions: { ...live.sessions, [id]: session } };
    },
    stale: ["sessions", "session", "projects"],
    timeline: null,
  },
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
};
