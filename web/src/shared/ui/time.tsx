import { language } from "@/shared/i18n/t";
import { duration, exact, relative, useNow } from "@/shared/lib/time";

/** "3 min ago", with the exact time on hover. */
export function Ago({ at, className = "" }: { at: string; className?: string }) {
  const now = useNow(15_000);
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exact(time, language)} className={`whitespace-nowrap ${className}`}>
      {relative(time, Math.max(now, time), language)}
    </time>
  );
}

/** How long something has been going on, moving every second; or how long it took. */
export function Elapsed({ from, to = null }: { from: string; to?: string | null }) {
  return to ? <span title={exact(Date.parse(from), language)}>{duration(Date.parse(to) - Date.parse(from))}</span> : <Ticking from={from} />;
}

function Ticking({ from }: { from: string }) {
  const now = useNow(1000);
  return <span title={exact(Date.parse(from), language)}>{duration(now - Date.parse(from))}</span>;
}
