import { useCallback, useSyncExternalStore } from "react";
import { language } from "@/shared/i18n/language";

const tickers = new Map<
  number,
  { now: number; listeners: Set<() => void>; timer: ReturnType<typeof setInterval> | null }
>();

function ticker(ms: number) {
  let found = tickers.get(ms);
  if (!found) {
    found = { now: Date.now(), listeners: new Set(), timer: null };
    tickers.set(ms, found);
  }
  return found;
}

/** The time, moving on every `ms`; all who ask for the same step share one timer. */
export function useNow(ms: number): number {
  // The same one for every drawing: whoever is drawn more often than that would begin the step anew each time.
  const subscribe = useCallback(
    (listener: () => void) => {
      const shared = ticker(ms);
      shared.listeners.add(listener);
      shared.timer ??= setInterval(() => {
        shared.now = Date.now();
        for (const tell of shared.listeners) tell();
      }, ms);
      return () => {
        shared.listeners.delete(listener);
        if (shared.listeners.size === 0 && shared.timer !== null) {
          clearInterval(shared.timer);
          shared.timer = null;
        }
      };
    },
    [ms],
  );
  return useSyncExternalStore(subscribe, () => {
    const shared = ticker(ms);
    // Nobody ticks it while unused, so the first reader would see an old time.
    if (shared.timer === null && Date.now() - shared.now > ms) shared.now = Date.now();
    return shared.now;
  });
}

/** "4 s", "2 min", "1 h 05 min": how long something took or has been going on. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return minutes < 10 ? `${minutes} min ${String(seconds % 60).padStart(2, "0")} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(hours / 24)} d`;
}

/** The same for what takes moments: "80 ms", "1.4 s". */
export function took(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" });
const EXACT = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

export function relative(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  }
  return RELATIVE.format(0, "second");
}

export function exact(at: number): string {
  return EXACT.format(at);
}
