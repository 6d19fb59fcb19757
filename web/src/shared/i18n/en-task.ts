import { count, plural } from "@/shared/lib/numbers";

/** What is said about one task: its card, its waiting, its details. */
export const taskWords = {
  task: {
    you: "You",
    label: (title: string) => `Task: ${title}`,
    attempt: (n: number) => `Attempt ${n}`,
    details: "Details",
    steps: "Steps",
    output: "Output",
    diff: "Changes",
    views: { steps: "Steps", output: "Output", checks: "Checks", diff: "Changes", report: "Report" },
    close: "Close details",
    tabs: "Task details",
    stillRunning: (tool: string, age: string) => `still running: ${tool}, ${age}`,
    working: "Working",
    startingUp: "Starting",
    position: (n: number) => (n === 1 ? "Next in the queue" : `Number ${n} in the queue`),
    waitsFor: (what: string) => `Waits for: ${what}`,
    files: (n: number) => plural(n, "file changed", "files changed"),
    cost: "Cost",
    took: "Time at work, without waiting for you",
    scope: "Scope",
    replies: "Your replies",
    replayed: "given again from your earlier reply",
    youSaid: "You answered",
    progress: (current: number, total: number) => `${current} of ${total}`,
    cancel: "Cancel",
    cancelling: "Cancelling…",
    cancelTitle: "Cancel this task?",
    cancelRunning:
      "The agent is stopped. What it has changed so far stays in the working tree; you can roll it back afterwards.",
    cancelWaiting: "The task ends here and its workspace is free again. Its changes stay until you roll them back.",
    cancelQueued: "It has not started: it leaves no trace. Its text goes back into the message box.",
    cancelHold: "And hold the queue",
    cancelHoldHint: "The next task does not start on a half-changed tree until you release the queue.",
    cancelDo: "Cancel the task",
    cancelled: "The task is cancelled.",
    cancelledHeld: "The task is cancelled and the queue is held.",
    takenBack: "Taken back: the text is in the message box again.",
    profile: (name: string) => `Time-out: ${name}`,
    errorKinds: {
      agent: "The agent failed",
      infrastructure: "The machine got in the way",
      credentials: "Credentials are missing",
      configuration: "The configuration is wrong",
      guard: "Stopped by a guard",
    },
  },
  reply: {
    question: "Question",
    label: "Your reply",
    placeholder: "Type your reply...",
    send: "Send Reply",
    sending: "Sending…",
    recommended: "Recommended",
    options: "Answers to choose from",
    own: "Or answer in your own words",
    movedOn: (status: string) => `This task is no longer waiting (it is now: ${status}). Your text is kept here.`,
    hint: "Enter sends, Shift+Enter breaks the line",
    action: (text: string) => `Reply: ${text.slice(0, 40)}`,
  },
  resume: {
    title: "How should it go on?",
    happened: "What happened",
    saved: "What is saved",
    parts: { patch: "The changes so far", step_log: "The step log", failure_summary: "The last check results" },
    isSaved: "Saved",
    notSaved: "Missing",
    soft: "Resume (replay)",
    softHint: "Keeps the changes and goes on after the last finished step.",
    softUnavailable: (why: string) => `Not possible: ${why}`,
    rollback: "Rollback & replay",
    rollbackHint: "Puts the files back as they were before the task, then runs it again from the start.",
    isDefault: "Default",
    why: "Why",
    takesAway: (files: number, insertions: number, deletions: number) =>
      files === 0
        ? "A rollback takes nothing away: no file has changed."
        : `A rollback takes away changes in ${plural(files, "file", "files")}: ${count(insertions)} added and ${count(deletions)} removed lines.`,
    preview: "What a rollback takes away",
    replies: (n: number) =>
      n === 0
        ? ""
        : `${plural(n, "reply of yours is", "replies of yours are")} given again, so you are not asked twice.`,
    resumed: "It goes on from where it was.",
    rolledBack: "Rolled back; it runs again from the start.",
    action: { soft: "Resume a task", rollback: "Roll back and replay a task" },
    orReply: "Or tell it something first",
  },
  changes: {
    rollback: "Roll back",
    rollbackTitle: "Roll back these changes?",
    rollbackLead: "The files become exactly what they were before this task. You can undo this.",
    rollbackDo: "Roll back",
    rollingBack: "Rolling back…",
    rolledBack: (files: number) => `Rolled back ${plural(files, "file", "files")}.`,
    rolledBackLine: "The changes of this task were rolled back.",
    rolledBackOlder: "Another task has worked here since, so this rollback can no longer be undone.",
    rolledBackBefore: "Earlier changes were rolled back before this run.",
    takesCommits: (count: number) => `${plural(count, "commit", "commits")} made since will leave the branch.`,
    undo: "Undo the rollback",
    undoing: "Undoing…",
    undone: "The changes are back.",
    takeBack: "Take them away again",
    takenAway: "The changes are taken away again.",
    branches: (names: string) => `Left as they are: ${names}.`,
    commit: "Commit",
    commitTitle: "Commit changes",
    commitLead: "Choose what goes into the commit.",
    commitMessage: "Message",
    commitEmpty: "Say in a few words what changed.",
    commitNoFile: "Choose at least one file.",
    commitDo: (n: number) => `Commit ${plural(n, "file", "files")}`,
    committing: "Committing…",
    committed: (sha: string, files: number) => `Committed ${plural(files, "file", "files")} as ${sha.slice(0, 8)}.`,
    committedAs: "Committed as",
    committedPart: (files: number) => `${plural(files, "file", "files")} of it committed as`,
    discarded: "Discarded; nothing was written",
    onTop: "Newer changes lie on top",
    onTopMore: "Another task has worked here since. Only the newest changes can be committed or rolled back.",
    all: "All files",
    nothing: "Nothing has changed.",
    previewEmpty: "There is nothing to take away.",
  },
  diff: {
    binary: "binary",
    lines: (insertions: number, deletions: number) =>
      `${plural(insertions, "line", "lines")} added, ${plural(deletions, "line", "lines")} removed`,
    empty: "No file has changed.",
    truncated: "The whole patch is too long to show at once; each file is loaded when you open it.",
    split: "Side by side",
    unified: "Unified",
    view: "View",
    renamed: (from: string) => `was ${from}`,
    status: {
      added: "added",
      modified: "changed",
      deleted: "deleted",
      renamed: "renamed",
      type: "type changed",
      untracked: "new",
      conflict: "in conflict",
    },
    tooLong: "This file's changes are too long to show here.",
  },
  steps: {
    none: "No step has begun yet.",
    prompt: "Prompt",
    log: "Log",
    diff: "Changes of this step",
    exit: (code: number) => `exit code ${code}`,
    attemptModes: {
      first: "first run",
      reply: "after your reply",
      soft: "resumed",
      rollback: "replayed after a rollback",
      apply: "applied",
    },
    running: "running",
  },
  output: {
    mode: "What to show",
    filtered: "Filtered",
    raw: "Raw",
    follow: "Follow the end",
    copy: "Copy what is loaded",
    copied: (lines: number) => `Copied ${plural(lines, "line", "lines")}.`,
    empty: "Nothing has been written yet.",
    size: (lines: string, size: string) => `${lines} lines, ${size}`,
    log: "Output of the task",
    now: "Running now",
    cut: (n: number) => ` … ${count(n)} more characters`,
    attempt: "Attempt",
    toEnd: "Jump to the end",
  },
  events: {
    started: "Started",
    attempt: (n: number, how: string) => `Attempt ${n}: ${how}`,
    awaiting: (why: string) => `Waits: ${why}`,
    completed: (word: string) => `Complete: ${word}`,
    failed: (text: string) => `Failed: ${text}`,
    cancelled: "Cancelled",
    replied: (text: string) => `You answered: ${text}`,
    repliedAgain: (text: string) => `Your earlier answer was given again: ${text}`,
    resumed: (mode: string) => (mode === "soft" ? "Resumed with its changes kept" : "Rolled back and replayed"),
    rolledBack: (files: number) => `Rolled back ${plural(files, "file", "files")}`,
    undone: "Rollback undone",
    committed: (sha: string, text: string) => `Committed ${sha.slice(0, 8)}: ${text}`,
    verified: (run: {
      purpose: string;
      result: string;
      loop: number;
      of: number;
      failing: string;
      first_failing_line: string;
    }) => {
      if (run.purpose === "base_tests")
        return `The tests as they were before ${run.result === "PASS" ? "pass" : "do not pass"} on the new code.`;
      if (run.result === "PASS") return "The checks passed.";
      const which = run.loop > 0 ? `Verification ${run.loop} of ${run.of}` : "Verification";
      const how = run.result === "FAIL" ? "failed" : "could not be run";
      return `${which} ${how}: ${run.failing}\n${run.first_failing_line}`;
    },
    doubts: (n: number) => `${plural(n, "thing", "things")} to look at before calling it done.`,
    applied: (files: number, merged: boolean) =>
      `Wrote the proposal to ${plural(files, "file", "files")}${merged ? ", merged with what had changed" : ""}.`,
    discarded: "Discarded the proposal.",
    stepStarted: (n: number, kind: string) => `Step ${n}: ${kind}`,
    stepFinished: (n: number, kind: string, outcome: string) => `Step ${n}: ${kind}, ${outcome}`,
    tool: (name: string, detail: string) => (detail ? `${name}: ${detail}` : name),
    toolFailed: (name: string, code: number | null) =>
      code === null ? `${name} failed` : `${name} failed with exit code ${code}`,
    asked: (text: string) => `Asked: ${text}`,
    timeout: (limit: string, seconds: number) => `Time limit reached (${limit}, ${count(Math.round(seconds))} s)`,
    absent: "The agent's process was gone",
    remaining: (processes: string) => `Could not be ended: ${processes}`,
    modelDiffers: (asked: string, got: string) => `Asked for the model ${asked}, but ${got} answered.`,
    filled: (percent: number) =>
      percent >= 95
        ? `The agent's memory is ${percent} % full: its next turn begins a fresh session.`
        : `The agent's memory is ${percent} % full.`,
    compacted: (full: boolean) =>
      full
        ? "The agent's memory was full: going on in a fresh session that is told what is saved."
        : "The agent could take in no more: going on in a fresh session that is told what is saved.",
    strays: (n: number) => `Ended ${plural(n, "process", "processes")} left behind`,
  },
};
