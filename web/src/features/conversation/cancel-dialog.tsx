import { useState } from "react";
import { cancel } from "@/api/actions";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { draftKeys, returnToDraft } from "@/shared/lib/draft";
import { returnLimits } from "@/shared/lib/limits";
import { Dialog } from "@/shared/ui/dialog";
import { Switch } from "@/shared/ui/switch";
import { toast } from "@/shared/ui/toast";

function consequence(task: Task): string {
  switch (task.status) {
    case "QUEUED":
      return task.attempt === 0 ? t.task.cancelQueued : t.task.cancelWaiting;
    case "RUNNING":
      return t.task.cancelRunning;
    case "AWAITING_RESPONSE":
      return task.awaiting === "dry_run" ? t.proposal.cancel : t.task.cancelWaiting;
    case "COMPLETE":
    case "CANCELLED":
    case "STUCK":
    case "ERROR":
      return t.task.cancelWaiting;
  }
}

export function CancelDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const [hold, setHold] = useState(false);
  const neverStarted = task.status === "QUEUED" && task.attempt === 0;
  const cancelling = useAction(["tasks", "queues", "sessions"], {
    mutationFn: () => cancel(task.task_id, hold && !neverStarted, t.choice.cancel),
    onSuccess: (sent) => {
      onClose();
      if (sent.queued) {
        toast.done(say(t.connection.queued, { label: t.choice.cancel }));
      } else if (sent.answer.new_status === null) {
        const { prompt, constraints, non_goals: nonGoals, boundaries } = sent.answer;
        const draft = draftKeys.session(task.project_id, task.session_slug);
        returnToDraft(draft, prompt);
        returnLimits(draft, { constraints, nonGoals, boundaries });
        toast.done(t.task.takenBack);
      } else {
        toast.done(hold ? t.task.cancelledHeld : t.task.cancelled);
      }
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={t.task.cancelTitle}
      description={consequence(task)}
      action={{
        label: cancelling.isPending ? t.task.cancelling : t.choice.cancel,
        look: "danger",
        disabled: cancelling.isPending,
        run: cancelling.mutate,
      }}
    >
      {neverStarted ? (
        <p className="line-clamp-4 rounded-md bg-raised p-3 whitespace-pre-wrap">{task.prompt}</p>
      ) : (
        <Switch label={t.task.cancelHold} hint={t.task.cancelHoldHint} checked={hold} onChange={setHold} />
      )}
    </Dialog>
  );
}
