import { useQuery } from "@tanstack/react-query";
import { FolderX, GitCommitHorizontal, RotateCcw, Undo2 } from "lucide-react";
import { useState } from "react";
import { rollback, undoRollback } from "@/api/actions";
import { clashesOf, mergeOf } from "@/api/errors";
import { rollbackPreviewQuery } from "@/api/queries";
import type { Task } from "@/api/types";
import { hasEnded } from "@/api/status";
import { say, t } from "@/shared/i18n/t";
import { listed } from "@/shared/lib/numbers";
import { takesAway } from "./takes-away";
import { useAction } from "@/shared/lib/action";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Missing } from "@/shared/ui/missing";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { MovedRefs } from "@/shared/ways/moved-refs";
import { UndoDialog } from "@/shared/ways/undo-dialog";
import { WayShown } from "@/shared/ways/way-shown";
import { CommitDialog } from "./commit-dialog";

function RollbackDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const preview = useQuery(rollbackPreviewQuery(task.task_id));
  const rolling = useAction(["tasks", "ways-back", "rollback-preview"], {
    mutationFn: () => rollback(task.task_id, preview.data?.merge ?? null),
    onSuccess: (result) => {
      onClose();
      const others =
        result.other_branches.length > 0 ? ` ${say(t.changes.branches, { names: listed(result.other_branches) })}` : "";
      const again = result.lost.length > 0 ? ` ${t.changes.madeAgain}` : "";
      toast.done(
        result.nothing_to_do
          ? t.ways.nothing
          : say(t.changes.rolledBack, { count: result.took_away.files_changed }) + again + others,
      );
    },
    // The files changed once more: the preview is asked for again, and shows that.
    onError: (error) => {
      if (!mergeOf(error)) toast.error(error);
    },
  });
  const way = preview.data;
  const impossible = !way || way.how === "nothing" || way.clashes.length > 0;
  const lost = task.repository !== null || (way?.lost.length ?? 0) > 0;
  const lead = way?.how === "over" ? t.ways.rollbackOverLead : t.changes.rollbackLead;
  return (
    <Dialog
      onClose={onClose}
      title={lost ? t.changes.makeAgainTitle : t.changes.rollbackTitle}
      description={lost ? t.changes.makeAgainLead : lead}
      action={{
        label: rolling.isPending ? t.changes.rollingBack : lost ? t.changes.makeAgain : t.changes.rollbackDo,
        look: "danger",
        disabled: rolling.isPending || impossible,
        run: rolling.mutate,
      }}
    >
      <Missing query={preview}>
        <Skeleton className="h-24" />
      </Missing>
      {way?.lost.map((what) => (
        <p key={what}>{what}</p>
      ))}
      {way && (
        <WayShown
          way={way}
          empty={lost ? "" : t.changes.previewEmpty}
          total={takesAway(way.files_changed, way.insertions, way.deletions)}
        />
      )}
      {way && <MovedRefs taskId={task.task_id} moved={way.moved} />}
    </Dialog>
  );
}

/** What became of the repository, and the way to have it again. A task that waits offers that with its other ways on. */
export function LostRepository({ task }: { task: Task }) {
  const [asking, setAsking] = useState(false);
  if (task.repository === null) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-bad bg-bg px-3 py-2 text-[13px]"
    >
      <FolderX size={14} aria-hidden className="text-bad" />
      <span className="min-w-0 flex-1">{task.repository}</span>
      {hasEnded(task.status) && (
        <Button size="sm" icon={<RotateCcw size={14} aria-hidden />} onClick={() => setAsking(true)}>
          {t.changes.makeAgain}
        </Button>
      )}
      {asking && <RollbackDialog task={task} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** "Undo" stays for as long as there is a rollback that can be undone. */
export function UndoRollback({ task }: { task: Task }) {
  const rollbackId = task.rollback_id;
  const [asked, setAsked] = useState(false);
  const undoing = useAction(["tasks", "ways-back"], {
    mutationFn: ({ id }: { id: string; away: boolean }) => undoRollback(task.task_id, id, null, false),
    // An undo is itself a rollback, so it can be taken back in the same way.
    onSuccess: (result, { away }) => {
      const text = away ? t.changes.takenAway : t.changes.undone;
      const label = away ? t.common.undo : t.changes.takeBack;
      const id = result.rollback_id;
      toast.done(text, id === null ? undefined : { label, run: () => undoing.mutate({ id, away: !away }) });
    },
    // Something changed since: what would be changed is shown first.
    onError: (error, { id }) => {
      if (id === rollbackId && (mergeOf(error) || clashesOf(error).length > 0)) setAsked(true);
      else toast.error(error);
    },
  });
  if (rollbackId === null) return null;
  const byItself = task.auto_fix && (task.status === "STUCK" || task.status === "ERROR");
  const line =
    task.rollback_problem ??
    (!task.rolled_back
      ? t.changes.rolledBackBefore
      : byItself
        ? t.verified.rolledBackByItself
        : t.changes.rolledBackLine);
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-bg px-3 py-2 text-[13px]">
      <RotateCcw size={14} aria-hidden className="text-muted" />
      <span className={`min-w-0 flex-1 ${task.rollback_problem ? "text-bad" : ""}`}>{line}</span>
      <Button
        size="sm"
        disabled={undoing.isPending}
        icon={<Undo2 size={14} aria-hidden />}
        onClick={() => undoing.mutate({ id: rollbackId, away: false })}
      >
        {undoing.isPending ? t.changes.undoing : t.changes.undo}
      </Button>
      {asked && <UndoDialog taskId={task.task_id} rollbackId={rollbackId} onClose={() => setAsked(false)} />}
    </div>
  );
}

/** Which commit has its changes, or a part of them. */
function Committed({ task }: { task: Task }) {
  if (!task.committed) return null;
  const { commit, files } = task.committed;
  return (
    <span className="inline-flex items-center gap-1.5 self-center text-[13px] text-muted">
      <GitCommitHorizontal size={15} aria-hidden className="text-ok" />
      {files >= task.files_changed ? t.changes.committedAs : say(t.changes.committedPart, { count: files })}{" "}
      <code className="font-mono text-[12.5px] text-text">{commit.slice(0, 8)}</code>
    </span>
  );
}

/** After a task has ended: take its changes back, or keep them as a commit. */
export function ChangesBar({ task }: { task: Task }) {
  const [dialog, setDialog] = useState<"rollback" | "commit" | null>(null);
  if (!hasEnded(task.status) || task.files_changed === 0 || task.rolled_back) return null;
  if (task.verdict === "PROPOSED")
    return <span className="self-center text-[13px] text-muted">{t.changes.discarded}</span>;
  const close = () => setDialog(null);
  const { committed } = task;
  const whole = committed !== null && committed.files >= task.files_changed;
  return (
    <>
      {committed && <Committed task={task} />}
      {!whole && (
        <Button size="sm" icon={<GitCommitHorizontal size={15} aria-hidden />} onClick={() => setDialog("commit")}>
          {t.changes.commit}
        </Button>
      )}
      <Button size="sm" icon={<RotateCcw size={14} aria-hidden />} onClick={() => setDialog("rollback")}>
        {t.changes.rollback}
      </Button>
      {dialog === "rollback" && <RollbackDialog task={task} onClose={close} />}
      {dialog === "commit" && <CommitDialog task={task} onClose={close} />}
    </>
  );
}
