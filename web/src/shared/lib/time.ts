import { useCallback, useSyncExternalStore } from "react";
import { language } from "@/shared/i18n/language";
import { measured } from "./numbers";

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

const MILLISECONDS = measured("millisecond");
const SECONDS = measured("second");
const MINUTES = measured("minute");
const HOURS = measured("hour");
const DAYS = measured("day");
const TENTHS = measured("second", 1);
const [OF_A_MINUTE, OF_AN_HOUR] = [measured("second", 0, 2), measured("minute", 0, 2)];
const TOGETHER = new Intl.ListFormat(language, { type: "unit", style: "narrow" });

/** "4s", "2m 05s", "1h 05m": how long something took, or has taken so far. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return SECONDS.format(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return TOGETHER.format([MINUTES.format(minutes), OF_A_MINUTE.format(seconds % 60)]);
  if (minutes < 60) return MINUTES.format(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return TOGETHER.format([HOURS.format(hours), OF_AN_HOUR.format(minutes % 60)]);
  return DAYS.format(Math.floor(hours / 24));
}

/** The same for what takes moments: "80ms", "1.4s". */
export function took(ms: number): string {
  if (ms < 1000) return MILLISECONDS.format(Math.round(ms));
  return ms < 10_000 ? TENTHS.format(ms / 1000) : duration(ms);
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
