import { EVERYTHING, type Family } from "./entry";

const entry = { live: null, stale: EVERYTHING, timeline: null };

export const RUNNER_EVENTS: Family<"runner"> = {
  "runner.started": entry,
  "runner.stopped": entry,
  "runner.operation_started": entry,
  "runner.operation_finished": entry,
};
