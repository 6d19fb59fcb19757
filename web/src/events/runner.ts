import type { Family, Query } from "./entry";

const EVERYTHING: readonly Query[] = ["state", "runner", "tasks", "sessions", "queues"];
const quiet = { live: null, stale: EVERYTHING, timeline: null };

export const RUNNER_EVENTS: Family<"runner" | "storage"> = {
  "runner.started": quiet,
  "runner.stopped": quiet,
  "runner.operation_started": quiet,
  "runner.operation_finished": quiet,
  "storage.mirror_rebuilt": quiet,
  "storage.restored": quiet,
};
