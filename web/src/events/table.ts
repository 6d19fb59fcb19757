import type { Event, EventType } from "@/api/types";
import { ATTEMPT_EVENTS } from "./attempt";
import { keyOf, type Entry, type TimelineLine } from "./entry";
import { GUARD_EVENTS } from "./guard";
import { RUNNER_EVENTS } from "./runner";
import { SESSION_EVENTS } from "./session";
import { SETTING_EVENTS } from "./setting";
import type { Live } from "./state";
import { STORAGE_EVENTS } from "./storage";
import { TALK_EVENTS } from "./talk";
import { TASK_EVENTS } from "./task";
import { USAGE_EVENTS } from "./usage";
import { WORKBENCH_EVENTS } from "./workbench";

/** Every type of event there is. A new one is one entry in the file of its family; one that is missing does not compile. */
const EVENTS: { [T in EventType]: Entry<T> } = {
  ...TASK_EVENTS,
  ...ATTEMPT_EVENTS,
  ...TALK_EVENTS,
  ...GUARD_EVENTS,
  ...USAGE_EVENTS,
  ...WORKBENCH_EVENTS,
  ...SESSION_EVENTS,
  ...SETTING_EVENTS,
  ...RUNNER_EVENTS,
  ...STORAGE_EVENTS,
};

const entryOf = <T extends EventType>(event: Event<T>): Entry<T> => EVENTS[event.type];

export const isEventType = (word: string): word is EventType => Object.hasOwn(EVENTS, word);

export const effectOf = <T extends EventType>(live: Live, event: Event<T>): Live =>
  entryOf(event).live?.(live, event) ?? live;

export const staleAfter = (event: Event): (readonly unknown[])[] =>
  entryOf(event).stale.map((query) => keyOf(query, event));

export const timelineLine = <T extends EventType>(event: Event<T>): TimelineLine | null =>
  entryOf(event).timeline?.(event) ?? null;
