import { useQueryClient } from "@tanstack/react-query";
import { CornerDownLeft } from "lucide-react";
import { useId, useState } from "react";
import { reply } from "@/api/actions";
import { ApiError, OfflineError } from "@/api/errors";
import { taskQuery } from "@/api/queries";
import { standing } from "@/api/status";
import type { Option, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { TextBox } from "@/shared/ui/text-box";
import { statusLook } from "@/shared/ui/status";
import { toast } from "@/shared/ui/toast";

const LIMIT_PX = 200;

interface Props {
  task: Task;
  label?: string;
}

function wordFor(task: Pick<Task, "status" | "awaiting" | "verdict" | "doubts">): string {
  return statusLook(task.status, task.awaiting, task.verdict, standing(task.doubts).length > 0).word;
}

function Options({
  options,
  disabled,
  choose,
}: {
  options: Option[];
  disabled: boolean;
  choose: (option: Option) => void;
}) {
  return (
    <div role="group" aria-label={t.reply.options} className="grid gap-2 sm:grid-cols-2">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          disabled={disabled}
          onClick={() => choose(option)}
          className="flex min-h-11 items-center gap-3 rounded-lg border border-line-strong bg-panel px-3 py-2 text-left hover:border-accent hover:bg-accent-soft disabled:opacity-60"
        >
          {option.value !== option.label && (
            <kbd className="grid size-6 shrink-0 place-items-center rounded border border-line bg-raised font-mono text-[12px]">
              {option.value.slice(0, 3)}
            </kbd>
          )}
          <span className="min-w-0 flex-1">{option.label}</span>
          {option.recommended && <span className="text-[12px] font-medium text-accent">{t.reply.recommended}</span>}
        </button>
      ))}
    </div>
  );
}

/**
 * Where a person answers. It is there while the task waits for words; if the task moves on with words still in the box,
 * it stays to keep them and says so.
 */
export function ReplyBox({ task, label = t.reply.label }: Props) {
  const draftKey = draftKeys.reply(task.task_id);
  const [text, setText] = useDraft(draftKey);
  const [sending, setSending] = useState(false);
  const [movedOn, setMovedOn] = useState<string | null>(null);
  const client = useQueryClient();
  const id = useId();
  const waits = task.status === "AWAITING_RESPONSE";
  const empty = text.trim() === "";
  const notice = waits ? movedOn : say(t.reply.movedOn, { status: wordFor(task) });

  /** The status as the server knows it now; null when it cannot be asked. */
  const fresh = async (): Promise<Task | null> => {
    try {
      return await client.fetchQuery({ ...taskQuery(task.task_id), staleTime: 0, retry: false });
    } catch (error) {
      if (error instanceof OfflineError) return null;
      throw error;
    }
  };

  const send = async (words: string) => {
    if (words.trim() === "" || sending || !waits) return;
    setSending(true);
    setMovedOn(null);
    try {
      const present = await fresh();
      if (present && !present.actions.includes("reply")) {
        setMovedOn(say(t.reply.movedOn, { status: wordFor(present) }));
        return;
      }
      const label = say(t.reply.action, { text: words.slice(0, 40) });
      const sent = await reply(task, words, label, draftKey);
      setText("");
      if (sent.queued) toast.done(say(t.connection.queued, { label }));
      else await client.invalidateQueries({ queryKey: ["tasks"] });
    } catch (error) {
      if (words !== text && empty) setText(words);
      if (error instanceof ApiError && [400, 409, 413].includes(error.status)) setMovedOn(error.message);
      else toast.error(error);
      await client.invalidateQueries({ queryKey: ["tasks"] });
    } finally {
      setSending(false);
    }
  };

  if (!waits && empty) return null;
  return (
    <form
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        void send(text);
      }}
    >
      {waits && task.options.length > 0 && (
        <Options options={task.options} disabled={sending} choose={(option) => void send(option.value)} />
      )}
      <div className="rounded-lg border border-line-strong bg-panel focus-within:border-accent">
        <TextBox
          id={`${id}-reply`}
          value={text}
          onText={setText}
          onSend={() => void send(text)}
          limit={LIMIT_PX}
          aria-label={label}
          aria-describedby={notice ? `${id}-notice` : undefined}
          placeholder={t.reply.placeholder}
          title={t.reply.hint}
          readOnly={sending}
          className="min-h-10 px-3 py-2.5"
        />
        <div className="flex items-center justify-between gap-2 px-2 pb-2">
          <span className="pl-1 text-[12px] text-faint">
            {waits && task.options.length > 0 ? t.reply.own : t.reply.hint}
          </span>
          <Button
            type="submit"
            look="primary"
            size="sm"
            disabled={empty || sending || !waits}
            icon={<CornerDownLeft size={14} aria-hidden />}
          >
            {sending ? t.reply.sending : t.reply.send}
          </Button>
        </div>
      </div>
      <p id={`${id}-notice`} role="alert" className="text-[13px] text-warn empty:hidden">
        {notice}
      </p>
    </form>
  );
}
