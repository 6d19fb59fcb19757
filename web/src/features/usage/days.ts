import type { UsageLine } from "@/api/types";

export interface Day {
  key: string;
  date: Date;
  line: UsageLine | null;
}

/** The beginning of the day `days` - 1 before this one, on the person's own calendar. */
export function beginning(days: number, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}

const two = (n: number): string => String(n).padStart(2, "0");

/** Every day of the time, also those on which nothing ran. */
export function everyDay(since: Date, days: number, lines: UsageLine[]): Day[] {
  const known = new Map(lines.map((line) => [line.key, line]));
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(since.getFullYear(), since.getMonth(), since.getDate() + index);
    const key = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return { key, date, line: known.get(key) ?? null };
  });
}

/** A round number at or above the highest, so that the scale can be read. */
export function ceiling(highest: number): number {
  if (highest <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 2.5, 5, 10].find((size) => size * unit >= highest) ?? 10;
  return step * unit;
}
