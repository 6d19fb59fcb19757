import { useQuery } from "@tanstack/react-query";
import { Check, History, RotateCcw, X } from "lucide-react";
import { resume } from "@/api/actions";
import { resumeOptionsQuery } from "@/api/queries";
import type { ResumeMode, ResumeOptions, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { takesAway } from "../takes-away";
import { useAction } from "@/shared/lib/action";
import { Button } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { FileChanges } from "@/shared/ui/file-changes";
import { Missing } from "@/shared/ui/missing";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";

function Saved({ options }: { options: ResumeOptions }) {
  return (
    <ul className="flex flex-col gap-1">
      {options.saved.map((part) => (
        <li key={part.name} className="flex items-start gap-2">
          {part.saved ? (
            <Check size={15} aria-hidden className="mt-0.5 shrink-0 text-ok" />
          ) : (
            <X size={15} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          )}
          <span className="min-w-0">
            <span className="font-medium">{t.saved_part[part.name]}</span>
            <span className="text-muted">
              {": "}
              {part.saved ? t.resume.isSaved : t.resume.notSaved}
              {part.detail && ` · ${part.detail}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface WayProps {
  mode: ResumeMode;
  isDefault: boolean;
  busy: boolean;
  problem: string | null;
  run: (mode: ResumeMode) => void;
}

function Way({ mode, isDefault, busy, problem, run }: WayProps) {
  const soft = mode === "soft";
  const hintId = `resume-${mode}-hint`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Button
        size="lg"
        look={isDefault ? "primary" : "plain"}
        disabled={busy || problem !== null}
        aria-describedby={hintId}
        icon={soft ? <History size={16} aria-hidden /> : <RotateCcw size={16} aria-hidden />}
        onClick={() => run(mode)}
      >
        {t.choice[mode]}
      </Button>
      <p id={hintId} className="text-[13px] text-muted">
        {isDefault && <strong className="font-semibold text-text">{t.resume.isDefault}. </strong>}
        {problem !== null
          ? say(t.resume.softUnavailable, { why: problem })
          : soft
            ? t.resume.softHint
            : t.resume.rollbackHint}
      </p>
    </div>
  );
}

/** What happened, what is saved, the two ways on, and what the destructive one would take away. */
export function ResumePanel({ task }: { task: Task }) {
  const options = useQuery(resumeOptionsQuery(task));
  const going = useAction(["tasks", "resume-options"], {
    mutationFn: (mode: ResumeMode) => resume(task, mode, t.choice[mode]),
    onSuccess: (sent, mode) =>
      toast.done(
        sent.queued
          ? say(t.connection.queued, { label: t.choice[mode] })
          : mode === "soft"
            ? t.resume.resumed
            : t.resume.rolledBack,
      ),
  });
  if (!options.data)
    return (
      <Missing query={options}>
        <Skeleton className="h-48" />
      </Missing>
    );
  const data = options.data;
  const { files_changed: files, insertions, deletions } = data.takes_away;
  return (
    <section aria-label={t.resume.title} className="flex flex-col gap-4">
      <div>
        <h3 className="text-[13px] font-semibold text-muted">{t.resume.happened}</h3>
        <p>
          <InlineCode text={data.happened} />
        </p>
      </div>
      {data.saved.length > 0 && (
        <div>
          <h3 className="mb-1 text-[13px] font-semibold text-muted">{t.resume.saved}</h3>
          <Saved options={data} />
        </div>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <Way
          mode="rollback"
          isDefault={data.default === "rollback"}
          busy={going.isPending}
          problem={null}
          run={going.mutate}
        />
        <Way
          mode="soft"
          isDefault={data.default === "soft"}
          busy={going.isPending}
          problem={data.soft_available ? null : (data.soft_problem ?? "")}
          run={going.mutate}
        />
      </div>
      <p className="text-muted">
        <strong className="font-medium text-text">{t.resume.why}: </strong>
        {data.why} {data.replies > 0 && say(t.resume.replies, { count: data.replies })}
      </p>
      <div className="rounded-lg border border-line bg-bg p-3">
        <p className="text-[13px]">{takesAway(files, insertions, deletions)}</p>
        {files > 0 && (
          <details className="mt-1.5">
            <summary className="cursor-pointer text-[13px] font-medium text-accent">{t.resume.preview}</summary>
            <FileChanges files={data.takes_away.files} />
          </details>
        )}
      </div>
    </section>
  );
}
