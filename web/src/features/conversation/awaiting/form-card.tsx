import { Check, CornerDownLeft } from "lucide-react";
import { useId, useMemo } from "react";
import { answerForm } from "@/api/actions";
import type { FormQuestion, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { toast } from "@/shared/ui/toast";
import { answersOf, choose, givenTo, readFilled, sorted, unanswered, write, type Given } from "./form-answers";

interface QuestionProps {
  question: FormQuestion;
  given: Given;
  onGiven: (given: Given) => void;
}

function Question({ question, given, onGiven }: QuestionProps) {
  const id = useId();
  const { several, options } = question;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 w-full">
        {question.header && <span className="block text-[12px] font-semibold text-accent">{question.header}</span>}
        <span className="font-medium [overflow-wrap:anywhere]">{question.text}</span>
        {several && <span className="block text-[12px] text-muted">{t.form.several}</span>}
      </legend>
      {options.length > 0 && (
        <div className="grid gap-2 sm:grid-cols-2">
          {options.map((option) => {
            const chosen = given.chosen.includes(option.value);
            return (
              <label
                key={option.value}
                className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-lg border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${chosen ? "border-accent bg-accent-soft" : "border-line-strong bg-panel hover:border-accent"}`}
              >
                <input
                  type={several ? "checkbox" : "radio"}
                  name={`${id}-choice`}
                  checked={chosen}
                  onChange={() => onGiven(choose(given, question, option.value))}
                  className="sr-only"
                />
                <span
                  aria-hidden
                  className={`grid size-5 shrink-0 place-items-center border ${several ? "rounded" : "rounded-full"} ${chosen ? "border-accent bg-accent text-on-accent" : "border-line-strong"}`}
                >
                  {chosen && <Check size={13} />}
                </span>
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{option.label}</span>
                {option.recommended && (
                  <span className="text-[12px] font-medium text-accent">{t.reply.recommended}</span>
                )}
              </label>
            );
          })}
        </div>
      )}
      <input
        aria-label={say(t.form.ownLabel, { question: question.text })}
        placeholder={options.length > 0 ? t.form.own : t.reply.placeholder}
        value={given.own}
        onChange={(event) => onGiven(write(given, question, event.target.value))}
        className="h-10 rounded-lg border border-line-strong bg-panel px-3"
      />
    </fieldset>
  );
}

/** Several questions at once, as the agent put them; half an answer outlives a reload. */
export function FormCard({ task }: { task: Task }) {
  const key = draftKeys.form(task.task_id);
  const [kept, keep] = useDraft(key);
  const { filled, left } = useMemo(() => sorted(readFilled(kept), task.form), [kept, task.form]);
  const open = unanswered(task.form, filled);
  const sending = useAction(["tasks"], {
    mutationFn: () =>
      answerForm(task, answersOf(task.form, filled), t.form.action, { key, text: JSON.stringify(filled) }),
    onSuccess: (sent) => {
      keep(Object.keys(left).length > 0 ? JSON.stringify(left) : "");
      toast.done(sent.queued ? say(t.connection.queued, { label: t.form.action }) : t.form.sent);
    },
  });
  return (
    <form
      aria-label={t.form.label}
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (open === 0 && !sending.isPending) sending.mutate();
      }}
    >
      {task.form.length > 1 && <p className="text-[13px] text-muted">{say(t.form.lead, { n: task.form.length })}</p>}
      {task.form.map((question) => (
        <Question
          key={question.id}
          question={question}
          given={givenTo(filled, question)}
          onGiven={(given) =>
            keep(JSON.stringify({ ...left, ...filled, [question.id]: { ...given, asked: question.text } }))
          }
        />
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          look="primary"
          disabled={open > 0 || sending.isPending}
          icon={<CornerDownLeft size={14} aria-hidden />}
        >
          {t.form.send}
        </Button>
        <span aria-live="polite" className="text-[13px] text-muted">
          {open > 0 && say(t.form.missing, { count: open })}
        </span>
      </div>
    </form>
  );
}
