import { t } from "@/shared/i18n/t";

/** A value of JSON: an object as terms with what they say, a list as a list, anything else as its text. */
function Value({ value }: { value: unknown }) {
  if (value === null || typeof value !== "object") return <span className="whitespace-pre-wrap">{String(value)}</span>;
  const parts: [string, unknown][] = Object.entries(value);
  if (parts.length === 0) return <span className="text-muted">{t.task.answerEmpty}</span>;
  if (Array.isArray(value))
    return (
      <ul className="list-disc pl-5">
        {parts.map(([index, part]) => (
          <li key={index}>
            <Value value={part} />
          </li>
        ))}
      </ul>
    );
  return (
    <dl className="flex flex-col gap-2">
      {parts.map(([name, part]) => (
        <div key={name}>
          <dt className="font-mono text-[12.5px] text-muted">{name}</dt>
          <dd className="pl-3">
            <Value value={part} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What a task that only asks found, in the form it was asked for. */
export function AnswerView({ answer }: { answer: Record<string, unknown> }) {
  return (
    <article
      tabIndex={0}
      aria-label={t.task.views.answer}
      className="min-h-0 flex-1 overflow-y-auto px-4 py-4 [overflow-wrap:anywhere] focus-visible:-outline-offset-2"
    >
      <Value value={answer} />
    </article>
  );
}
