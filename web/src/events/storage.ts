import { EVERYTHING, type Family } from "./entry";

export const STORAGE_EVENTS: Family<"storage"> = {
  "storage.mirror_rebuilt": { live: null, stale: EVERYTHING, timeline: null },
  "storage.restored": { live: null, stale: EVERYTHING, timeline: null },
};
