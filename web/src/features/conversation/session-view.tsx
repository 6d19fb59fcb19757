import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleHelp } from "lucide-react";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";
import { useShallow } from "zustand/react/shallow";
import { useLive } from "@/events/live";
import { withLive } from "@/events/snapshot";
import { sessionQuery, tasksQuery } from "@/api/queries";
import type { Session, Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { useMedia, WIDE } from "@/shared/lib/media";
import { Button } from "@/shared/ui/button";
import { Failure } from "@/shared/ui/failure";
import { Missing } from "@/shared/ui/missing";
import { Skeleton, SkeletonRows } from "@/shared/ui/skeleton";
import { StoppedRunner } from "@/shared/ui/stopped-runner";
import type { DetailView, OpenDetail } from "./detail-view";
import { SessionHeader } from "./session-header";
import { TaskCard } from "./task-card";

const TaskDetail = lazy(() => import("./detail/task-detail"));
const NEAR_END_PX = 160;
const JUMP_MARGIN_PX = 16;

/** Scrolls the conversation alone: `scrollIntoView` would also move the frame around it. */
function jumpTo(box: HTMLElement | null, taskId: string): void {
  const card = document.getElementById(`task-${taskId}`);
  if (box && card) box.scrollTop = card.offsetTop - JUMP_MARGIN_PX;
}

const newestCard = (box: HTMLElement) => [...box.querySelectorAll<HTMLElement>("article[data-status]")].at(-1);
const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Down to the newest. What waits for an answer is shown from its beginning, and stays put once the reader `touched` it. */
function toEnd(box: HTMLElement, touched: string): void {
  const newest = newestCard(box);
  const waits = newest?.dataset.status === "AWAITING_RESPONSE";
  if (waits && newest.id === touched) return;
  box.scrollTop = waits ? Math.min(box.scrollHeight, newest.offsetTop - JUMP_MARGIN_PX) : box.scrollHeight;
}

/** Follows the end of the conversation while the reader is there, and leaves them alone when they are not. */
function useFollow(tasks: Task[], target: string | null) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const shown = useRef("");
  const touched = useRef("");
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || tasks.length === 0) return;
    const first = shown.current === "";
    const newest = tasks.at(-1)?.task_id ?? "";
    if (first && target) jumpTo(element, target);
    else if (first || (newest !== shown.current && atEnd.current)) toEnd(element, touched.current);
    shown.current = newest;
  }, [tasks, target]);
  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (!element || !content || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      // Somebody who types in a card must not have it pulled away under their hands.
      const typing = document.activeElement?.tagName === "TEXTAREA" && element.contains(document.activeElement);
      if (atEnd.current && !typing) toEnd(element, touched.current);
    });
    const touch = () => {
      touched.current = newestCard(element)?.id ?? "";
    };
    observer.observe(content);
    for (const hand of HANDS) element.addEventListener(hand, touch, { passive: true });
    return () => {
      observer.disconnect();
      for (const hand of HANDS) element.removeEventListener(hand, touch);
    };
  }, [tasks.length]);
  const onScroll = () => {
    const element = box.current;
    if (element) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  };
  return { box, onScroll };
}

/** Where the details open below their card they may be out of sight of what opened them. */
function useDetailsInSight(box: RefObject<HTMLElement | null>, open: OpenDetail | null, loaded: boolean): void {
  const place = open ? `${open.task} ${open.view} ${open.run ?? ""} ${open.file ?? ""}` : "";
  useEffect(() => {
    const part = place !== "" && loaded ? box.current?.querySelector<HTMLElement>("[data-details]") : null;
    if (box.current && part) box.current.scrollTop = part.offsetTop - JUMP_MARGIN_PX;
  }, [place, loaded, box]);
}

/** Escape closes the details beside the conversation, unless something above them or a field wants it; focus goes back. */
function useEscape(open: OpenDetail | null, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  const task = open?.task ?? null;
  useEffect(() => {
    if (task === null) return;
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.matches("textarea, input, select");
      if (event.key !== "Escape" || event.defaultPrevented || typing || document.querySelector("[role=dialog]")) return;
      latest.current();
      document.querySelector<HTMLElement>(`#task-${CSS.escape(task)} footer [aria-expanded]`)?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [task]);
}

interface Props {
  projectId: string;
  slug: string;
  /** A task the address points at. */
  target: string | null;
  open: OpenDetail | null;
  onOpen: (open: OpenDetail | null) => void;
  onGone: () => void;
  /** `running`: the task of this session that is at work. */
  composer: (session: Session, running: string | null, waiting: boolean) => ReactNode;
}

export function SessionView({ projectId, slug, target, open, onOpen, onGone, composer }: Props) {
  const session = useQuery(sessionQuery(projectId, slug));
  const pages = useInfiniteQuery(tasksQuery(projectId, slug));
  const wide = useMedia(WIDE);
  const tasks = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const waiting = useLive(
    useShallow((state) =>
      tasks
        .filter((task) => withLive(task, state.tasks[task.task_id]).status === "AWAITING_RESPONSE")
        .map((task) => task.task_id),
    ),
  );
  const queued = useLive((state) =>
    tasks.some((task) => withLive(task, state.tasks[task.task_id]).status === "QUEUED"),
  );
  const running = useLive(
    (state) => tasks.find((task) => withLive(task, state.tasks[task.task_id]).status === "RUNNING")?.task_id ?? null,
  );
  const { box, onScroll } = useFollow(tasks, target);
  const shown = open ? tasks.find((task) => task.task_id === open.task) : undefined;
  const hidden = waiting.find((id) => id !== tasks.at(-1)?.task_id);

  useEscape(open, () => onOpen(null));
  useDetailsInSight(box, wide ? null : open, shown !== undefined);

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (session.isError)
    return (
      <div className="mx-auto max-w-2xl p-6">
        <Failure error={session.error} retry={() => void session.refetch()} />
      </div>
    );
  const view = (task: Task, next: DetailView | null) => onOpen(next ? { task: task.task_id, view: next } : null);
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        {session.data ? (
          <SessionHeader session={session.data} onGone={onGone} />
        ) : (
          <div className="border-b border-line px-6 py-3">
            <Skeleton className="h-6 w-64" />
          </div>
        )}
        {hidden && (
          <div className="flex items-center gap-2 border-b border-warn-line bg-warn-soft px-4 py-1.5 text-[13px] sm:px-6">
            <CircleHelp size={15} aria-hidden className="text-warn" />
            <span className="flex-1 font-medium">{t.session.waitingFirst}</span>
            <Button size="sm" onClick={() => jumpTo(box.current, hidden)}>
              {t.session.show}
            </Button>
          </div>
        )}
        <div
          ref={box}
          onScroll={onScroll}
          role="region"
          tabIndex={0}
          aria-label={t.session.conversation}
          className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
        >
          <div className="mx-auto flex max-w-[52rem] flex-col gap-8 px-4 py-6 sm:px-6">
            <Missing query={pages}>
              <SkeletonRows rows={3} className="h-28" />
            </Missing>
            {pages.data && tasks.length === 0 && <p className="py-10 text-center text-muted">{t.session.empty}</p>}
            {tasks.map((task) => (
              <TaskCard
                key={task.task_id}
                snapshot={task}
                view={open?.task === task.task_id ? open.view : null}
                onView={(next) => view(task, next)}
              >
                {!wide && open?.task === task.task_id && (
                  <div data-details>
                    <Suspense fallback={<Skeleton className="h-[60dvh]" />}>
                      <TaskDetail snapshot={task} open={open} pane={false} onView={(next) => view(task, next)} />
                    </Suspense>
                  </div>
                )}
              </TaskCard>
            ))}
          </div>
        </div>
        {queued && <StoppedRunner className="mb-3 border-y border-warn-line sm:px-6" />}
        {session.data && (
          <div className="mx-auto w-full max-w-[52rem] px-4 pb-3 sm:px-6">
            {composer(session.data, running, waiting.length > 0)}
          </div>
        )}
      </div>
      {wide && shown && open && (
        <aside aria-label={t.task.details} className="min-w-0 flex-[1.15] border-l border-line">
          <Suspense fallback={<Skeleton className="m-3 h-2/3" />}>
            <TaskDetail key={shown.task_id} snapshot={shown} open={open} pane onView={(next) => view(shown, next)} />
          </Suspense>
        </aside>
      )}
    </div>
  );
}
