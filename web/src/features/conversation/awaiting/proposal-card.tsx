import { Check, ShieldCheck, Trash2, TriangleAlert } from "lucide-react";
import { lazy, Suspense } from "react";
import { applyProposal, discardProposal } from "@/api/actions";
import { clashesOf, mergeOf, type Clash, type Merge } from "@/api/errors";
import type { QueryName } from "@/api/queries";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { listed } from "@/shared/lib/numbers";
import { Button } from "@/shared/ui/button";
import { Fold } from "@/shared/ui/fold";
import { Markdown } from "@/shared/ui/markdown";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { DiffPane } from "../detail/diff-pane";

const MergeDiff = lazy(() => import("./merge-diff"));
const STALE: readonly QueryName[] = ["tasks", "queues", "sessions"];
const BOX = "flex max-h-[60dvh] min-h-24 flex-col overflow-hidden rounded-lg border border-line";

function Clashes({ clashes }: { clashes: Clash[] }) {
  return (
    <div role="alert" className="rounded-lg bg-bad-soft px-3 py-2.5">
      <p className="font-medium text-bad">{t.proposal.refusedTitle}</p>
      <ul className="my-1.5 flex flex-col gap-1">
        {clashes.map((clash) => (
          <li key={clash.path} className="[overflow-wrap:anywhere]">
            <code className="font-mono text-[12.5px] font-medium">{clash.path}</code>
            <span className="text-muted"> {clash.reason}</span>
          </li>
        ))}
      </ul>
      <p className="text-[13px]">{t.proposal.refusedLead}</p>
    </div>
  );
}

function Merging({ taskId, merge, again }: { taskId: string; merge: Merge; again: boolean }) {
  return (
    <section aria-label={t.proposal.mergeTitle} className="flex flex-col gap-2">
      <div role="status">
        <p className="font-medium text-warn">{t.proposal.mergeTitle}</p>
        <p>{again ? t.proposal.mergeAgain : t.proposal.mergeLead}</p>
      </div>
      <div role="region" aria-label={t.proposal.mergeDiff} className={BOX}>
        <Suspense fallback={<Skeleton className="m-3 h-24" />}>
          <MergeDiff taskId={taskId} merge={merge} />
        </Suspense>
      </div>
    </section>
  );
}

/** The proof that nothing was written, or what somebody else wrote meanwhile. */
function Untouched({ task }: { task: Task }) {
  if (!task.untouched) return null;
  const { before, after, meanwhile } = task.untouched;
  const same = before === after;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-[13px] text-muted">
      {same ? (
        <ShieldCheck size={15} aria-hidden className="text-ok" />
      ) : (
        <TriangleAlert size={15} aria-hidden className="text-warn" />
      )}
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {same ? t.proposal.untouched : say(t.proposal.meanwhile, { files: listed(meanwhile) })}{" "}
        <code title={`${before} → ${after}`} className="font-mono text-[12px]">
          {same ? before.slice(0, 8) : `${before.slice(0, 8)} → ${after.slice(0, 8)}`}
        </code>
      </span>
    </p>
  );
}

/** What a dry run would change, and the person's decision about it. */
export function ProposalCard({ task }: { task: Task }) {
  const applying = useAction(STALE, {
    mutationFn: (merge: string | null) => applyProposal(task, merge),
    onSuccess: () => toast.done(t.proposal.applied),
    onError: (error) => {
      if (!mergeOf(error) && clashesOf(error).length === 0) toast.error(error);
    },
  });
  const discarding = useAction(STALE, {
    mutationFn: () => discardProposal(task),
    onSuccess: () => toast.done(t.proposal.discarded),
  });
  const merge = mergeOf(applying.error);
  const clashes = clashesOf(applying.error);
  const busy = applying.isPending || discarding.isPending;
  const words = task.summary || task.output;
  return (
    <section aria-label={t.proposal.title} className="flex flex-col gap-3">
      {words && (
        <Fold>
          <Markdown text={words} />
        </Fold>
      )}
      {clashes.length > 0 && <Clashes clashes={clashes} />}
      {merge ? (
        <Merging taskId={task.task_id} merge={merge} again={applying.variables !== null} />
      ) : (
        <>
          <p className="text-muted">{task.error_message ?? t.proposal.lead}</p>
          <Untouched task={task} />
          <div role="region" aria-label={t.proposal.diff} className={BOX}>
            <DiffPane taskId={task.task_id} shape="unified" />
          </div>
        </>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="lg"
          look="primary"
          disabled={busy}
          title={t.proposal.applyHint}
          icon={<Check size={16} aria-hidden />}
          onClick={() => applying.mutate(merge?.name ?? null)}
        >
          {applying.isPending ? t.proposal.applying : merge ? t.proposal.mergeApply : t.choice.apply}
        </Button>
        <Button
          size="lg"
          disabled={busy}
          title={t.proposal.discardHint}
          icon={<Trash2 size={16} aria-hidden />}
          onClick={() => discarding.mutate()}
        >
          {discarding.isPending ? t.proposal.discarding : t.choice.discard}
        </Button>
        {merge && (
          <Button size="lg" look="quiet" disabled={busy} onClick={() => applying.reset()}>
            {t.proposal.mergeNot}
          </Button>
        )}
        <p className="basis-full text-[13px] text-muted">
          {t.proposal.applyHint} {t.proposal.discardHint}
        </p>
      </div>
    </section>
  );
}
