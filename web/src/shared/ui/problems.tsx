import type { Problem } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { InlineCode } from "./inline-code";

interface Props {
  problems: Problem[];
  /** Takes the person to the place; without it the place is only named. */
  onGo?: (problem: Problem) => void;
}

const PLACE = "font-mono text-[12.5px] font-medium text-bad";

/** What is wrong with agent.yaml, where, and what would be right. */
export function Problems({ problems, onGo }: Props) {
  return (
    <ol aria-label={t.checks.problemList} className="flex flex-col gap-2">
      {problems.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.message}`} className="min-w-0">
          {onGo ? (
            <button
              type="button"
              title={say(t.checks.goTo, { line: problem.line, column: problem.column })}
              onClick={() => onGo(problem)}
              className={`${PLACE} underline decoration-dotted underline-offset-2 hover:decoration-solid`}
            >
              {say(t.checks.at, { line: problem.line, column: problem.column })}
            </button>
          ) : (
            <span className={PLACE}>{say(t.checks.at, { line: problem.line, column: problem.column })}</span>
          )}
          <p className="[overflow-wrap:anywhere]">
            <InlineCode text={problem.message} />
          </p>
          {problem.suggestion && (
            <p className="text-[13px] text-muted [overflow-wrap:anywhere]">
              <InlineCode text={problem.suggestion} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
