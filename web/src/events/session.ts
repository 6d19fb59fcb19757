import type { Family } from "./entry";
import { NEW_SESSION } from "./state";

export const SESSION_EVENTS: Family<"session"> = {
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
};
