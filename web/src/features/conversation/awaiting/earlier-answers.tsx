import { Copy, Trash2 } from "lucide-react";
import type { Task } from "@/api/types";
import { hasEnded } from "@/api/status";
import { t } from "@/shared/i18n/t";
import { copyText } from "@/shared/lib/clipboard";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { toast } from "@/shared/ui/toast";
import { inWords, readFilled, sorted } from "./form-answers";

/** What was filled in and never sent, where nothing asks for it any more: the person's words are theirs to copy. */
export function EarlierAnswers({ task }: { task: Task }) {
  const [kept, keep] = useDraft(draftKeys.form(task.task_id));
  // While it goes on, or while the server has not said yet what it waits for, a form of the same questions may come.
  const settled = hasEnded(task.status) || (task.status === "AWAITING_RESPONSE" && task.actions.length > 0);
  if (kept === "" || !settled) return null;
  const { filled, left } = sorted(readFilled(kept), task.form);
  const sent = (asked: string, words: string) =>
    task.reply_history.some((reply) => reply.question === asked && reply.content === words);
  const shown = Object.entries(left)
    .map(([id, given]) => ({ id, asked: given.asked ?? "", words: inWords(given) }))
    .filter(({ asked, words }) => !sent(asked, words));
  if (shown.length === 0) return null;
  const copy = async () => {
    const text = shown.map(({ asked, words }) => (asked ? `${asked}\n${words}` : words)).join("\n\n");
    if (await copyText(text)) toast.done(t.common.copied);
    else toast.problem(t.common.copyFailed);
  };
  return (
    <section aria-label={t.form.earlier} className="flex flex-col gap-2 rounded-lg border border-line bg-bg p-3">
      <p className="text-[13px] text-muted">
        <strong className="font-semibold text-text">{t.form.earlier}. </strong>
        {t.form.earlierLead}
      </p>
      <dl className="flex flex-col gap-1.5">
        {shown.map(({ id, asked, words }) => (
          <div key={id}>
            {asked && <dt className="text-[13px] text-muted [overflow-wrap:anywhere]">{asked}</dt>}
            <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{words}</dd>
          </div>
        ))}
      </dl>
      <div className="-ml-2 flex flex-wrap gap-1">
        <Button look="quiet" size="sm" icon={<Copy size={13} aria-hidden />} onClick={() => void copy()}>
          {t.form.copy}
        </Button>
        <Button
          look="quiet"
          size="sm"
          icon={<Trash2 size={13} aria-hidden />}
          onClick={() => keep(Object.keys(filled).length > 0 ? JSON.stringify(filled) : "")}
        >
          {t.form.drop}
        </Button>
      </div>
    </section>
  );
}
