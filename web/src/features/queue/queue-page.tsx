import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePause, CirclePlay, Undo2 } from "lucide-react";
import { useState } from "react";
import { cancel, hold, release } from "@/api/actions";
import { useLive } from "@/events/live";
import { queuesQuery } from "@/api/queries";
import type { Queue, QueueItem } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { draftKeys, returnToDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { StoppedRunner } from "@/shared/ui/stopped-runner";
import { Status } from "@/shared/ui/status";
import { Ago } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";

function TakeBack({ queue, item, onClose }: { queue: Queue; item: QueueItem; onClose: () => void }) {
  const taking = useAction(["queues"], {
    mutationFn: () => cancel(item.task_id, false, t.queue.take),
    onSuccess: (sent) => {
      onClose();
      if (sent.queued) {
        toast.done(say(t.connection.queued, { label: t.queue.take }));
      } else {
        if (sent.answer.new_status === null)
          returnToDraft(draftKeys.session(queue.project_id, item.session_slug), sent.answer.prompt);
        toast.done(sent.answer.new_status === null ? t.task.takenBack : t.task.cancelled);
      }
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={t.queue.takeTitle}
      description={t.task.cancelQueued}
      action={{
        label: taking.isPending ? t.task.cancelling : t.queue.take,
        look: "danger",
        disabled: taking.isPending,
        run: taking.mutate,
      }}
    >
      <p className="line-clamp-6 rounded-md bg-raised p-3 whitespace-pre-wrap">{item.prompt}</p>
    </Dialog>
  );
}

interface ItemProps {
  queue: Queue;
  item: QueueItem;
  onTake?: () => void;
}

function Item({ queue, item, onTake }: ItemProps) {
  return (
    <li className="grid grid-cols-[2rem_1fr_auto] items-center gap-x-3 px-4 py-2.5">
      <span className="text-right text-muted">{item.position > 0 ? item.position : ""}</span>
      <div className="min-w-0">
        <Link
          to="/sessions/$projectId/$slug"
          params={{ projectId: queue.project_id, slug: item.session_slug }}
          className="block truncate font-medium hover:text-accent hover:underline"
        >
          {item.prompt.split("\n", 1)[0]}
        </Link>
        <p className="truncate text-[13px] text-muted">
          {item.session_title} · <Ago at={item.submitted_at} />
          {item.waits_for && ` · ${say(t.task.waitsFor, { what: item.waits_for })}`}
        </p>
      </div>
      {onTake ? (
        <Button size="sm" look="quiet" icon={<Undo2 size={14} aria-hidden />} onClick={onTake}>
          {t.queue.take}
        </Button>
      ) : (
        <Status status={item.status} awaiting={item.awaiting} className="text-[13px]" />
      )}
    </li>
  );
}

function WorkspaceQueue({ queue }: { queue: Queue }) {
  const [taken, setTaken] = useState<QueueItem | null>(null);
  const live = useLive((state) => state.holds[queue.workspace_id]);
  const toggling = useAction(["queues"], {
    mutationFn: (on: boolean) =>
      on ? hold(queue.workspace_id, "", t.queue.holdAction) : release(queue.workspace_id, t.queue.releaseAction),
    onSuccess: (sent, on) => {
      if (sent.queued) toast.done(say(t.connection.queued, { label: on ? t.queue.holdAction : t.queue.releaseAction }));
    },
  });
  const held = toggling.isPending ? toggling.variables : (live?.held ?? queue.held);
  const reason = live?.reason ?? queue.held_reason;
  const name = queue.path.split("/").at(-1);
  return (
    <section aria-label={queue.path} className="card overflow-hidden">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{name}</h2>
          <p className="truncate font-mono text-[12px] text-faint">{queue.path}</p>
        </div>
        {held && (
          <span className="inline-flex items-center gap-1.5 text-[13px] font-medium text-warn">
            <CirclePause size={15} aria-hidden />
            {reason ? say(t.queue.held, { reason }) : t.queue.heldByYou}
          </span>
        )}
        <Button
          size="sm"
          title={t.queue.holdHint}
          icon={held ? <CirclePlay size={14} aria-hidden /> : <CirclePause size={14} aria-hidden />}
          onClick={() => toggling.mutate(!held)}
        >
          {held ? t.queue.release : t.queue.hold}
        </Button>
      </header>
      {queue.holder && (
        <div className="border-b border-line bg-warn-soft">
          <p className="px-4 pt-2 text-[13px]">
            <strong className="font-semibold text-warn">{t.queue.holder}. </strong>
            {t.queue.holderLead}
          </p>
          <ul>
            <Item queue={queue} item={queue.holder} />
          </ul>
        </div>
      )}
      {queue.running && (
        <ul aria-label={t.queue.running} className="border-b border-line">
          <Item queue={queue} item={queue.running} />
        </ul>
      )}
      {!queue.running && !queue.holder && <p className="border-b border-line px-4 py-2.5 text-muted">{t.queue.idle}</p>}
      {queue.items.length === 0 ? (
        <p className="px-4 py-2.5 text-muted">{t.queue.nothing}</p>
      ) : (
        <ol aria-label={say(t.queue.waiting, { count: queue.items.length })} className="divide-y divide-line">
          {queue.items.map((item) => (
            <Item key={item.task_id} queue={queue} item={item} onTake={() => setTaken(item)} />
          ))}
        </ol>
      )}
      {taken && <TakeBack queue={queue} item={taken} onClose={() => setTaken(null)} />}
    </section>
  );
}

const busyFirst = (one: Queue, other: Queue): number => weight(other) - weight(one);
const weight = (queue: Queue): number =>
  (queue.holder ? 1000 : 0) + (queue.running ? 500 : 0) + queue.items.length + (queue.held ? 100 : 0);

export function QueuePage() {
  const queues = useQuery(queuesQuery);
  return (
    <Page title={t.queue.title} lead={t.queue.lead}>
      <StoppedRunner className="mb-4 rounded-lg border border-warn-line" />
      <Missing query={queues}>
        <SkeletonRows rows={3} className="h-28" />
      </Missing>
      {queues.data?.items.length === 0 && (
        <div className="card px-6 py-12 text-center">
          <p className="font-medium">{t.queue.empty}</p>
          <p className="mt-1 text-muted">{t.queue.emptyLead}</p>
        </div>
      )}
      <div className="flex flex-col gap-4">
        {[...(queues.data?.items ?? [])].sort(busyFirst).map((queue) => (
          <WorkspaceQueue key={queue.workspace_id} queue={queue} />
        ))}
      </div>
    </Page>
  );
}
