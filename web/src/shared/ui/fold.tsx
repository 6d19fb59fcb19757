import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { t } from "@/shared/i18n/t";

const FOLD_PX = 320;

/** Text taller than `limit` is folded, with a way to see all of it. */
export function Fold({ children, limit = FOLD_PX }: { children: ReactNode; limit?: number }) {
  const content = useRef<HTMLDivElement>(null);
  const [tall, setTall] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const text = content.current;
    if (!text || typeof ResizeObserver === "undefined") return;
    // Told before the page is drawn, so that a long text is not seen unfolded first.
    const observer = new ResizeObserver(([entry]) =>
      flushSync(() => setTall((entry?.contentRect.height ?? 0) > limit + 80)),
    );
    observer.observe(text);
    return () => observer.disconnect();
  }, [limit]);
  const folded = tall && !open;
  return (
    <>
      <div
        className={folded ? "overflow-hidden [mask-image:linear-gradient(#000_75%,transparent)]" : ""}
        style={folded ? { maxHeight: limit } : {}}
      >
        <div ref={content}>{children}</div>
      </div>
      {tall && (
        <button
          type="button"
          className="mt-1 text-[13px] font-medium text-accent hover:underline"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t.common.less : t.common.more}
        </button>
      )}
    </>
  );
}
