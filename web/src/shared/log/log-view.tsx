import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDownToLine, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { say, t } from "@/shared/i18n/t";
import { copyText } from "@/shared/lib/clipboard";
import { bytes, count } from "@/shared/lib/numbers";
import { Button, IconButton } from "@/shared/ui/button";
import { Failure } from "@/shared/ui/failure";
import { toast } from "@/shared/ui/toast";
import { plain } from "./ansi";
import { Line } from "./line";
import { ROW_PX, useLog, type ReadPage } from "./use-log";

interface Props {
  /** Whose output: a task, a verification, or an operation on the runner. */
  id: string;
  /** Which attempt of a task, or which check of a verification. */
  attempt: number;
  running: boolean;
  read: ReadPage;
  label: string;
}

export function LogView({ id, attempt, running, read, label }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(running);
  const seen = useRef({ top: 0, height: 0 });
  const log = useLog(id, attempt, read, scroller);
  const rows = log.window.rows;
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const { show, version, wasAtEnd } = log;

  useEffect(() => {
    if (rows > 0) show(first, last);
  }, [show, first, last, rows, version]);

  useEffect(() => {
    const box = scroller.current;
    if (box && (wasAtEnd() || follow)) box.scrollTop = box.scrollHeight;
  }, [follow, rows, version, wasAtEnd]);

  const copy = async () => {
    const { text, lines } = log.window.text();
    const clean = text.split("\n").map(plain).join("\n");
    if (await copyText(clean)) toast.done(say(t.output.copied, { count: lines }));
    else toast.problem(t.common.copyFailed);
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-[13px]">
        <label className="flex cursor-pointer items-center gap-1.5 text-muted">
          <input
            type="checkbox"
            checked={follow}
            onChange={(event) => setFollow(event.target.checked)}
            className="accent-accent"
          />
          {t.output.follow}
        </label>
        <span className="ml-auto text-faint">
          {log.ready &&
            say(t.output.size, { lines: (log.window.exact ? "" : "≈ ") + count(rows), size: bytes(log.window.total) })}
        </span>
        <IconButton label={t.output.copy} onClick={() => void copy()}>
          <Copy size={14} aria-hidden />
        </IconButton>
      </div>
      {log.problem !== null && <Failure error={log.problem} retry={() => show(first, last)} />}
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          role="log"
          aria-label={label}
          aria-live="off"
          tabIndex={0}
          data-log
          onScroll={(event) => {
            const { scrollTop, scrollHeight } = event.currentTarget;
            // The page itself only ever follows downwards: going up is the reader's wish to stay there.
            if (scrollTop < seen.current.top - ROW_PX / 2 && scrollHeight >= seen.current.height) setFollow(false);
            seen.current = { top: scrollTop, height: scrollHeight };
          }}
          className="absolute inset-0 overflow-auto bg-code font-mono text-[12.5px] leading-5 focus-visible:-outline-offset-2"
        >
          {log.ready && rows === 0 && <p className="p-3 text-muted">{t.output.empty}</p>}
          <div style={{ height: virtual.getTotalSize(), position: "relative", minWidth: "max-content" }}>
            {items.map((item) => (
              <div
                key={item.key}
                data-row
                className="absolute top-0 left-0 h-5 px-3 whitespace-pre"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Line text={log.window.line(item.index)} />
              </div>
            ))}
          </div>
        </div>
        {!follow && rows > 40 && (
          <Button
            size="sm"
            className="absolute right-4 bottom-3 shadow-card"
            icon={<ArrowDownToLine size={14} aria-hidden />}
            onClick={() => setFollow(true)}
          >
            {t.output.toEnd}
          </Button>
        )}
      </div>
    </div>
  );
}
