import { useRef, type RefObject } from "react";
import type { Problem } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Problems } from "@/shared/ui/problems";

const MOST_ROWS = 24;
const LEAST_ROWS = 6;

interface Props {
  text: string;
  onText: (text: string) => void;
  problems: Problem[];
  readOnly?: boolean;
}

/** Where in the text a line and column (both from 1) are. */
export function offsetOf(text: string, line: number, column: number): number {
  const before = text.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(start + column - 1, text.length);
}

function goTo(box: RefObject<HTMLTextAreaElement | null>, text: string, problem: Problem): void {
  const at = offsetOf(text, problem.line, problem.column);
  const end = text.indexOf("\n", at);
  box.current?.focus();
  box.current?.setSelectionRange(at, end === -1 ? text.length : end);
}

/** The text of agent.yaml with numbered lines, and what is wrong with it beside them. */
export function YamlText({ text, onText, problems, readOnly = false }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLOListElement>(null);
  const lines = text.split("\n").length;
  const wrong = new Set(problems.map((problem) => problem.line));
  const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, lines));
  return (
    <div className={problems.length > 0 ? "grid items-start gap-3 sm:grid-cols-[3fr_2fr]" : ""}>
      <div className="flex min-w-0 overflow-hidden rounded-lg border border-line-strong bg-panel font-mono text-[12.5px] leading-5 focus-within:border-accent">
        <ol
          ref={gutter}
          aria-hidden
          className="shrink-0 overflow-hidden bg-raised py-2 text-right text-faint select-none"
          style={{ height: `${rows * 1.25 + 1}rem` }}
        >
          {Array.from({ length: lines }, (_, index) => (
            <li
              key={index}
              className={`px-2 tabular-nums ${wrong.has(index + 1) ? "bg-bad-soft font-semibold text-bad" : ""}`}
            >
              {index + 1}
            </li>
          ))}
        </ol>
        <textarea
          ref={box}
          value={text}
          rows={rows}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          readOnly={readOnly}
          aria-label={t.checks.fileText}
          aria-invalid={problems.length > 0}
          onChange={(event) => onText(event.target.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
          style={{ height: `${rows * 1.25 + 1}rem` }}
          className="min-w-0 flex-1 resize-none bg-transparent px-2 py-2 leading-5 outline-none"
        />
      </div>
      {problems.length > 0 && (
        <div role="alert" className="min-w-0 rounded-lg bg-bad-soft px-3 py-2.5">
          <Problems problems={problems} onGo={(problem) => goTo(box, text, problem)} />
        </div>
      )}
    </div>
  );
}
