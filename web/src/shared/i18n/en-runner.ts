import type { OperationKind, OperationOutcome, Phase } from "@/api/types";
import { count, plural } from "@/shared/lib/numbers";

const kinds: Record<OperationKind, string> = { run: "Run", stop: "Stop", build: "Build", restart: "Restart" };
const phases: Record<Phase, string> = { build: "Build", stop: "Stop", start: "Start" };
const outcomes: Record<OperationOutcome, string> = {
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
  cut_short: "Was cut short",
};

const results: Record<OperationKind, Record<OperationOutcome, string>> = {
  run: {
    done: "The runner takes work.",
    failed: "The runner could not start.",
    cancelled: "It was called off.",
    cut_short: "The server ended before the runner had started; it has been started since.",
  },
  stop: {
    done: "The runner is stopped. Nothing is taken from the queue until you start it.",
    failed: "The runner could not be stopped in order.",
    cancelled: "It was called off.",
    cut_short: "The server ended before the runner had stopped.",
  },
  build: {
    done: "Built. Restart to use what was built of Pilothouse itself.",
    failed: "The build failed. Nothing that runs was touched.",
    cancelled: "The build was cancelled. Nothing that runs was touched.",
    cut_short: "The server ended in the middle of the build.",
  },
  restart: {
    done: "A new process runs.",
    failed: "The restart failed; what was running before runs on.",
    cancelled: "The restart was cancelled; what was running before runs on.",
    cut_short: "The server ended in the middle of the restart.",
  },
};

export const runnerWords = {
  title: "Runner",
  lead: "The part that runs tasks. The pages stay up when it is stopped.",
  states: { running: "Running", stopping: "Stopping", stopped: "Stopped" },
  since: "This process runs for",
  version: "Version",
  pid: "Process",
  boot: "Boot",
  tasks: "Tasks",
  counts: (running: number, queued: number) => `${count(running)} running, ${count(queued)} queued`,
  runningNow: "Running now",
  controls: "Controls",
  kinds,
  phases,
  outcomes,
  results,
  does: {
    run: "Takes work from the queues.",
    stop: (seconds: number) =>
      `Takes no more work, waits up to ${count(seconds)} s for what runs, then interrupts it. Interrupted tasks can be resumed; the pages stay up.`,
    build: "Builds Pilothouse itself or a project. Nothing is stopped.",
    restart: "Builds, then stops as above, then starts a new process. If the build fails, everything runs on as it is.",
  },
  why: {
    runs: "It runs already.",
    stopped: "It is stopped already.",
    busy: (kind: OperationKind) => `${kinds[kind]} is under way.`,
    offline: "The server cannot be reached now.",
  },
  buildWhat: "What to build",
  itself: "Pilothouse itself",
  operation: (kind: OperationKind) => `Last operation: ${kinds[kind]}`,
  underWay: (kind: OperationKind) => `${kinds[kind]} is under way`,
  phasesLabel: "Phases",
  phaseStates: { waiting: "not begun", running: "under way", done: "done", failed: "ended here" },
  took: "Took",
  cause: "Cause",
  reconnects: "The new process starts. This page reconnects by itself.",
  retry: "Retry",
  back: "Back",
  viewLog: "View log",
  hideLog: "Hide log",
  cancel: "Cancel the build",
  log: "Output of the operation",
  stopTitle: "Stop the runner?",
  stopLead: (running: number, seconds: number) =>
    running === 0
      ? "Nothing runs now. Nothing queued is lost; it waits until you run it again."
      : `${plural(running, "task is", "tasks are")} at work. After ${count(seconds)} s what still runs is interrupted and waits for you with everything saved. Nothing queued is lost.`,
  stopDo: "Stop the runner",
  restartTitle: "Restart Pilothouse?",
  restartLead: (running: number, seconds: number) =>
    `${plural(running, "task is", "tasks are")} at work. They go on while it builds. After that they have ${count(seconds)} s; what still runs then is interrupted and waits for you with everything saved.`,
  restartDo: "Restart now",
  stopReason: "Stopped by the person",
};
