import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { cancel } from "@/api/actions";
import type { Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { draftKeys, returnToDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Switch } from "@/shared/ui/switch";
import { toast } from "@/shared/ui/toast";

interface Props {
  task: Task;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

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

export function CancelDialog({ task, open, onOpenChange }: Props) {
  const [hold, setHold] = useState(false);
  const client = useQueryClient();
  const neverStarted = task.status === "QUEUED" && task.attempt === 0;
  const cancelling = useMutation({
    mutationFn: () => cancel(task.task_id, hold && !neverStarted, t.task.cancelDo),
    onSuccess: (sent) => {
      onOpenChange(false);
      if (sent.queued) {
        toast.done(t.connection.queued(t.task.cancelDo));
      } else if (sent.answer.new_status === null) {
        returnToDraft(draftKeys.session(task.project_id, task.session_slug), sent.answer.prompt);
        toast.done(t.task.takenBack);
      } else {
        toast.done(hold ? t.task.cancelledHeld : t.task.cancelled);
      }
    },
    onError: toast.error,
    onSettled: () =>
      Promise.all(["tasks", "queues", "sessions"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t.task.cancelTitle}
      description={consequence(task)}
      footer={
        <>
          <Button
            onClick={() => {
              onOpenChange(false);
            }}
          >
            {t.common.cancel}
          </Button>
          <Button
            look="danger"
            disabled={cancelling.isPending}
            onClick={() => {
              cancelling.mutate();
            }}
          >
            {cancelling.isPending ? t.task.cancelling : t.task.cancelDo}
          </Button>
        </>
      }
    >
      {neverStarted ? (
        <p className="line-clamp-4 rounded-md bg-raised p-3 whitespace-pre-wrap">{task.prompt}</p>
      ) : (
        <Switch label={t.task.cancelHold} hint={t.task.cancelHoldHint} checked={hold} onChange={setHold} />
      )}
    </Dialog>
  );
}
