import { useQuery } from "@tanstack/react-query";
import { useLive } from "@/events/live";
import type { Milestone } from "@/events/state";
import { milestoneOf } from "@/events/task";
import { taskEventsQuery } from "@/api/queries";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";

/** The newest milestone; a page that came late asks once when it began. */
export function useMilestone(task: Task): Milestone | null {
  const live = useLive((state) => state.tasks[task.task_id]?.milestone ?? null);
  const history = useQuery({
    ...taskEventsQuery(task.task_id),
    enabled: live === null && task.milestone !== "",
  });
  if (live) return live;
  const event = history.data?.findLast((past) => past.type === "task.milestone");
  return event?.type === "task.milestone" ? milestoneOf(event) : null;
}

/** "Verification 3 of 12", for the milestones that belong to one and do not say it themselves. */
export function counterOf(milestone: Milestone | null): string {
  if (!milestone?.current || !milestone.total) return "";
  const counter = say(t.verified.counter, { n: milestone.current, of: milestone.total });
  if (milestone.text.startsWith(counter)) return "";
  return milestone.code === "verifying" ? counter : say(t.verified.next, { n: milestone.current, of: milestone.total });
}
