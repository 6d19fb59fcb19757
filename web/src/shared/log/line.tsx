import { memo } from "react";
import { say, t } from "@/shared/i18n/t";
import { spans } from "./ansi";

const LONGEST_SHOWN = 2000;

/** One line with its colours; null while it is not in memory. */
export const Line = memo(function Line({ text }: { text: string | null }) {
  if (text === null) return <span className="text-faint">…</span>;
  const cut = text.length > LONGEST_SHOWN;
  return (
    <>
      {spans(cut ? text.slice(0, LONGEST_SHOWN) : text).map((span, index) => (
        <span key={index} className={span.className} {...(span.color ? { style: { color: span.color } } : {})}>
          {span.text}
        </span>
      ))}
      {cut && <span className="text-faint">{say(t.output.cut, { n: text.length - LONGEST_SHOWN })}</span>}
    </>
  );
});

/** The last lines of a log, one row each. */
export function TailRows({ lines }: { lines: string[] }) {
  return lines.map((line, index) => (
    <span key={index} className="block truncate">
      <Line text={line || " "} />
    </span>
  ));
}

/** A few lines at once, where scrolling through a whole log would be too much. */
export function Lines({ label, text, wrap = false }: { label: string; text: string; wrap?: boolean }) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      className={`max-h-72 overflow-auto rounded-md bg-code p-2.5 font-mono text-[12.5px] leading-5 ${wrap ? "whitespace-pre-wrap" : ""}`}
    >
      {text
        .replace(/\n+$/, "")
        .split("\n")
        .map((line, index) => (
          <span key={index} className="block min-h-5">
            <Line text={line} />
          </span>
        ))}
    </pre>
  );
}
