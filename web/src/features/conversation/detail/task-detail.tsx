import * as Tabs from "@radix-ui/react-tabs";
import { X } from "lucide-react";
import type { Task } from "@/api/types";
import { hasEnded, standing } from "@/api/status";
import { t } from "@/shared/i18n/t";
import { IconButton } from "@/shared/ui/button";
import { Status } from "@/shared/ui/status";
import { MovedSince } from "@/shared/ways/moved-refs";
import { VIEWS, type DetailView, type OpenDetail } from "../detail-view";
import { titleOf, useTask } from "../task-state";
import { AnswerView } from "./answer-view";
import { DiffPane } from "./diff-pane";
import { OutputView } from "./output-view";
import { ReportView } from "./report-view";
import { RunsView } from "./runs-view";
import { StepsView } from "./steps-view";

const isView = (value: string): value is DetailView => VIEWS.some((view) => view === value);

/** What a task has: only one that asks has an answer, without a verification there are no checks to show, and only a stuck one has a report. */
function has(task: Task, view: DetailView): boolean {
  if (view === "answer") return task.answer !== null;
  if (view === "checks") return task.run_id !== null;
  return view === "report" ? task.status === "STUCK" : true;
}

interface Props {
  snapshot: Task;
  open: OpenDetail;
  onView: (view: DetailView | null) => void;
  /** Beside the conversation it fills the height; inside a card it has one of its own. */
  pane: boolean;
}

export default function TaskDetail({ snapshot, open, onView, pane }: Props) {
  const task = useTask(snapshot);
  const { view } = open;
  /** Nothing is added any more: no taller than what there is to see. */
  const still = view === "steps" && hasEnded(task.status);
  const names = VIEWS.filter((name) => name === view || has(task, name));
  return (
    <Tabs.Root
      value={view}
      onValueChange={(value) => {
        if (isView(value)) onView(value);
      }}
      className={`@container flex min-h-0 flex-col overflow-hidden bg-panel ${pane ? "h-full" : `card ${still ? "max-h-[60dvh] min-h-40" : "h-[60dvh]"}`}`}
    >
      <header className="flex items-center gap-3 border-b border-line pr-2 pl-3 max-sm:gap-0 max-sm:pr-0 max-sm:pl-1.5">
        <Tabs.List aria-label={t.task.tabs} className="flex min-w-0 overflow-x-auto sm:gap-1">
          {names.map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="-mb-px h-10 border-b-2 border-transparent shrink-0 px-1.5 font-medium sm:px-2.5 text-muted focus-visible:-outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {t.task.views[name]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <span className="ml-auto hidden min-w-0 items-center gap-2 text-[13px] @3xl:flex">
          <Status
            status={task.status}
            awaiting={task.awaiting}
            verdict={task.verdict}
            doubtful={standing(task.doubts).length > 0}
            rolledBack={task.rolled_back}
          />
          <span className="truncate text-muted">{titleOf(task)}</span>
        </span>
        <IconButton label={t.task.close} className="@max-3xl:ml-auto" onClick={() => onView(null)}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <Tabs.Content value="answer" className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
        {task.answer && <AnswerView answer={task.answer} />}
      </Tabs.Content>
      <Tabs.Content value="steps" className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
        <StepsView task={task} />
      </Tabs.Content>
      <Tabs.Content value="output" className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
        <OutputView task={task} />
      </Tabs.Content>
      <Tabs.Content value="checks" className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
        <RunsView key={open.run ?? ""} task={task} selected={open.run ?? null} />
      </Tabs.Content>
      <Tabs.Content value="diff" className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
        {hasEnded(task.status) && <MovedSince taskId={task.task_id} />}
        <DiffPane taskId={task.task_id} file={open.file ?? null} />
      </Tabs.Content>
      <Tabs.Content value="report" className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
        <ReportView task={task} />
      </Tabs.Content>
    </Tabs.Root>
  );
}
