import { Clock3, CornerUpLeft, Undo2, Zap } from "lucide-react";
import { useEffect } from "react";
import { changeSteering } from "@/api/actions";
import { ApiError } from "@/api/errors";
import type { SentMessage, Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { draftKeys, returnToDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { toast } from "@/shared/ui/toast";

function stateOf(task: Task, message: SentMessage): string {
  if (message.state === "returned") return t.steering.returned;
  if (task.status !== "RUNNING") return t.steering.idle;
  return message.state === "handed" ? t.steering.handed : t.steering.waiting;
}

interface Taking {
  message: SentMessage;
  /** The person goes on writing it then; what comes back by itself must not take the focus. */
  byHand: boolean;
}

/** Takes a message out of the server's hands and into the message box; whoever asks first gets it. */
function useTakeBack(task: Task, said: string) {
  return useAction(["tasks"], {
    mutationFn: ({ message }: Taking) => changeSteering(task.task_id, message.message_id, "take_back"),
    onSuccess: (message, { byHand }) => {
      returnToDraft(draftKeys.session(task.project_id, task.session_slug), message.text);
      if (byHand) document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus();
      toast.done(said);
    },
    onError: (error, { message }) => {
      const late = error instanceof ApiError && error.status === 409;
      if (!late) toast.error(error);
      // A message that came back is in the box of another window of the same person.
      else if (message.state !== "returned") toast.problem(error.message, t.steering.lateFix);
    },
  });
}

function Bubble({ task, message }: { task: Task; message: SentMessage }) {
  const returned = message.state === "returned";
  const taking = useTakeBack(task, returned ? t.steering.restored : t.steering.takenBack);
  const hurrying = useAction(["tasks"], {
    mutationFn: () => changeSteering(task.task_id, message.message_id, "now"),
    onSuccess: () => toast.done(t.steering.sentNow),
  });
  const { mutate } = taking;
  useEffect(() => {
    // Only where somebody is: a window in the background must not take the words away from the one in use.
    if (returned && document.hasFocus()) mutate({ message, byHand: false });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each message that comes back
  }, [message.message_id, returned]);
  const busy = taking.isPending || hurrying.isPending;
  return (
    <li className="ml-auto flex w-fit max-w-full flex-col gap-1 rounded-xl rounded-br-sm border border-dashed border-line-strong bg-bg px-3.5 py-2">
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{message.text}</p>
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 text-[12px] text-muted">
        <span className="flex items-center gap-1">
          {returned ? <CornerUpLeft size={12} aria-hidden /> : <Clock3 size={12} aria-hidden />}
          {stateOf(task, message)}
        </span>
        <span className="-mr-1.5 flex gap-1">
          {message.can_send_now && task.status === "RUNNING" && (
            <Button
              look="quiet"
              size="sm"
              title={t.steering.nowHint}
              disabled={busy}
              icon={<Zap size={13} aria-hidden />}
              onClick={() => hurrying.mutate()}
            >
              {t.steering.now}
            </Button>
          )}
          {message.can_take_back && (
            <Button
              look="quiet"
              size="sm"
              disabled={busy}
              icon={<Undo2 size={13} aria-hidden />}
              onClick={() => taking.mutate({ message, byHand: true })}
            >
              {returned ? t.steering.restore : t.steering.takeBack}
            </Button>
          )}
        </span>
      </div>
    </li>
  );
}

/** Messages to a running task that the agent has not taken in yet; what it has taken in stands among the replies. */
export function Steering({ task }: { task: Task }) {
  const open = task.steering.filter((message) => message.state !== "delivered" && message.state !== "taken_back");
  if (open.length === 0) return null;
  return (
    <ol aria-label={t.steering.label} className="flex flex-col gap-2">
      {open.map((message) => (
        <Bubble key={message.message_id} task={task} message={message} />
      ))}
    </ol>
  );
}
