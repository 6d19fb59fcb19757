import { t } from "@/shared/i18n/t";
import { line, onTask, TASK, type Family } from "./entry";
import { becomes } from "./state";

const toolWords = ({ tool, detail }: { tool: string; detail: string }): string => t.events.tool(tool, detail);

/** What agent and person say to each other: questions, permissions, messages to a task that runs. */
export const TALK_EVENTS: Family<"question" | "permission" | "steering" | "agent"> = {
  "question.asked": {
    // The questions of a form come together; each is shown with its own answers once the task is read again.
    live: onTask(({ at, data: { text, options } }, { question: before }) => ({
      question: before?.at === at ? { text: `${before.text}\n${text}`, options: [], at } : { text, options, at },
    })),
    stale: [],
    timeline: ({ data }) => line(t.events.asked(data.text), "ask"),
  },
  "question.answered": { live: onTask(() => ({ question: null })), stale: [], timeline: null },
  "permission.asked": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(t.talkEvents.permissionAsked(toolWords(data)), "ask"),
  },
  "permission.decided": {
    live: onTask((event) => (event.data.replayed ? {} : becomes(event, "QUEUED"))),
    stale: [...TASK, "grants", "queues"],
    timeline: ({ data }) => line(t.talkEvents.permissionDecided(data.choice, toolWords(data), data.replayed), "strong"),
  },
  "permission.revoked": { live: null, stale: ["grants"], timeline: null },
  "steering.queued": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(t.talkEvents.queued(data.text), "strong"),
  },
  "steering.handed": { live: null, stale: TASK, timeline: null },
  "steering.delivered": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(t.talkEvents.delivered(data.text)),
  },
  "steering.taken_back": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(t.talkEvents.takenBack(data.text)),
  },
  "steering.returned": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(t.talkEvents.returned(data.text), "ask"),
  },
  "agent.denied": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(t.notes.denied(toolWords(data)), "ask"),
  },
  "agent.fresh": { live: null, stale: TASK, timeline: ({ data }) => line(t.notes.fresh(data.reason), "ask") },
};
