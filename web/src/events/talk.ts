import { say, t } from "@/shared/i18n/t";
import { toolWords } from "@/shared/lib/words";
import { line, onTask, TASK, type Family } from "./entry";
import { becomes } from "./state";

const whatOf = ({ tool, detail }: { tool: string; detail: string }): string => toolWords(tool, detail);

/** What agent and person say to each other: questions, permissions, messages to a task that runs. */
export const TALK_EVENTS: Family<"question" | "permission" | "steering" | "agent"> = {
  "question.asked": {
    // The questions of a form come together; each is shown with its own answers once the task is read again.
    live: onTask(({ at, data: { text, options } }, { question: before }) => ({
      question: before?.at === at ? { text: `${before.text}\n${text}`, options: [], at } : { text, options, at },
    })),
    stale: [],
    timeline: ({ data }) => line(say(t.events.asked, { text: data.text }), "ask"),
  },
  "question.answered": { live: onTask(() => ({ question: null })), stale: [], timeline: null },
  "permission.asked": {
    live: null,
    stale: [],
    timeline: ({ data }) => line(say(t.talkEvents.permissionAsked, { what: whatOf(data) }), "ask"),
  },
  "permission.decided": {
    live: onTask((event) => (event.data.replayed ? {} : becomes(event, "QUEUED"))),
    stale: [...TASK, "grants", "queues"],
    timeline: ({ data }) =>
      line(
        say((data.replayed ? t.talkEvents.decidedAgain : t.talkEvents.decided)[data.choice], { what: whatOf(data) }),
        "strong",
      ),
  },
  "permission.revoked": { live: null, stale: ["grants"], timeline: null },
  "steering.queued": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.talkEvents.queued, { text: data.text }), "strong"),
  },
  "steering.handed": { live: null, stale: TASK, timeline: null },
  "steering.delivered": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.talkEvents.delivered, { text: data.text })),
  },
  "steering.taken_back": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.talkEvents.takenBack, { text: data.text })),
  },
  "steering.returned": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.talkEvents.returned, { text: data.text }), "ask"),
  },
  "agent.denied": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.notes.denied, { what: whatOf(data) }), "ask"),
  },
  "agent.fresh": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.notes.fresh, { why: data.reason }), "ask"),
  },
};
