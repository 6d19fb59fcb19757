import { useState } from "react";
import { useConnection } from "@/api/connection";
import { t } from "@/shared/i18n/t";
import { duration, exact, relative, useNow } from "@/shared/lib/time";

/** "3 min ago", with the exact time on hover. */
export function Ago({ at, className = "" }: { at: string; className?: string }) {
  const now = useNow(15_000);
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exact(time)} className={`whitespace-nowrap ${className}`}>
      {relative(time, Math.max(now, time))}
    </time>
  );
}

/** How long something has been going on, moving every second; or how long it took. `before` had passed when it began. */
export function Elapsed({ from, to = null, before = 0 }: { from: string; to?: string | null; before?: number }) {
  return to ? (
    <span title={exact(Date.parse(from))}>{duration(before + Date.parse(to) - Date.parse(from))}</span>
  ) : (
    <Ticking from={from} before={before} />
  );
}

/** The time, standing still while nobody knows what happens at the other end. */
export function useKnownNow(): { now: number; stale: boolean } {
  const now = useNow(1000);
  const stale = useConnection((state) => state.connection === "reconnecting" || state.connection === "lost");
  const [known, setKnown] = useState(now);
  if (!stale && known !== now) setKnown(now);
  return { now: stale ? known : now, stale };
}

function Ticking({ from, before }: { from: string; before: number }) {
  const { now, stale } = useKnownNow();
  return (
    <span title={stale ? t.connection.stale : exact(Date.parse(from))} className={stale ? "opacity-50" : ""}>
      {duration(before + now - Date.parse(from))}
    </span>
  );
}
