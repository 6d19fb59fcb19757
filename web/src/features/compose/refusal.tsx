import { Link } from "@tanstack/react-router";
import { CircleAlert, X } from "lucide-react";
import { problemsOf, type ApiError } from "@/api/errors";
import { say, t } from "@/shared/i18n/t";
import { IconButton } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { Problems } from "@/shared/ui/problems";

interface Props {
  error: ApiError;
  projectId: string | null;
  onDismiss: () => void;
}

const SHOWN = 3;
const LINK = "font-medium text-accent hover:underline";

/** Why a message was not taken, and what to do, where it was written. */
export function RefusalNote({ error, projectId, onDismiss }: Props) {
  const problems = problemsOf(error);
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-b-[inherit] border-t border-line bg-bad-soft px-3.5 py-2.5"
    >
      <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        <p>
          <strong className="font-semibold">{t.refused.title}. </strong>
          <InlineCode text={problems.length > 0 ? t.checks.broken : error.message} />
        </p>
        {problems.length > 0 && <Problems problems={problems.slice(0, SHOWN)} />}
        <p className="text-[13px] text-muted">
          {problems.length > SHOWN && `${say(t.refused.more, { count: problems.length - SHOWN })} `}
          <InlineCode text={error.nextAction} /> {t.refused.kept}
        </p>
        {problems.length > 0 && projectId !== null && (
          <Link to="/projects/$projectId/checks" params={{ projectId }} className={LINK}>
            {t.refused.checks}
          </Link>
        )}
        {(error.code === "credentials" || (error.code === "configuration" && problems.length === 0)) && (
          <Link to="/settings" className={LINK}>
            {t.refused.agents}
          </Link>
        )}
      </div>
      <IconButton label={t.refused.dismiss} className="-my-1 -mr-1.5" onClick={onDismiss}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
