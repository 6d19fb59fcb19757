import { useState } from "react";
import type { Totals } from "@/api/types";
import { language } from "@/shared/i18n/language";
import { say, t } from "@/shared/i18n/t";
import { money, short } from "@/shared/lib/numbers";
import { Segmented } from "@/shared/ui/segmented";
import { ceiling, type Day } from "./days";

type What = "cost" | "tokens";

export const inAndOut = (totals: Totals): string =>
  say(t.usage.inOut, { read: short(tokensOf(totals) - totals.output_tokens), written: short(totals.output_tokens) });

export const tokensOf = (totals: Totals): number =>
  totals.input_tokens + totals.output_tokens + totals.cache_read_tokens + totals.cache_write_tokens;

const valueOf = (day: Day, what: What): number =>
  day.line === null ? 0 : what === "cost" ? day.line.cost_usd : tokensOf(day.line);
const shown = (value: number, what: What): string => (what === "cost" ? money(value) : short(value));
const dayName = (date: Date): string =>
  new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short" }).format(date);
const dayMark = (date: Date): string =>
  new Intl.DateTimeFormat(language, { day: "numeric", month: "short" }).format(date);

/** The last day has a mark, and up to five before it, evenly. */
const isMarked = (index: number, of: number): boolean => (of - 1 - index) % Math.ceil(of / 6) === 0;

function Bars({ days, what, top }: { days: Day[]; what: What; top: number }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${days.length} 100`}
      preserveAspectRatio="none"
      className="absolute inset-0 h-full w-full"
    >
      {[0, 50].map((y) => (
        <line key={y} x1={0} x2={days.length} y1={y} y2={y} vectorEffect="non-scaling-stroke" className="stroke-line" />
      ))}
      {days.map((day, index) => {
        const height = (100 * valueOf(day, what)) / top;
        return (
          <g key={day.key} className="group">
            <title>{`${dayName(day.date)}: ${shown(valueOf(day, what), what)}`}</title>
            <rect x={index} y={0} width={1} height={100} className="fill-transparent group-hover:fill-raised" />
            <rect x={index + 0.15} y={100 - height} width={0.7} height={height} className="fill-accent" />
          </g>
        );
      })}
      <line
        x1={0}
        x2={days.length}
        y1={100}
        y2={100}
        vectorEffect="non-scaling-stroke"
        className="stroke-line-strong"
      />
    </svg>
  );
}

function AsTable({ days }: { days: Day[] }) {
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer text-[13px] font-medium text-accent">{t.usage.asTable}</summary>
      <table className="mt-2 w-full">
        <thead>
          <tr className="border-b border-line text-left text-[12px] text-muted">
            <th scope="col" className="py-1 font-semibold">
              {t.usage.day}
            </th>
            <th scope="col" className="py-1 text-right font-semibold">
              {t.usage.cost}
            </th>
            <th scope="col" className="py-1 text-right font-semibold">
              {t.usage.tokens}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.key} className="border-b border-line last:border-0">
              <th scope="row" className="py-1 text-left font-normal">
                {dayName(day.date)}
              </th>
              <td className="py-1 text-right">{money(valueOf(day, "cost"))}</td>
              <td className="py-1 text-right">{short(valueOf(day, "tokens"))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** One bar for each day. What it shows is said in a sentence and stands in a table, for those who do not see it. */
export function Plot({ days }: { days: Day[] }) {
  const [what, setWhat] = useState<What>("cost");
  const highest = days.reduce(
    (best, day) => (valueOf(day, what) > valueOf(best, what) ? day : best),
    days[0] ?? { key: "", date: new Date(0), line: null },
  );
  const top = ceiling(valueOf(highest, what));
  return (
    <section aria-labelledby="usage-plot" className="card mb-5 p-4">
      <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id="usage-plot" className="font-semibold">
          {t.usage.overTime}
        </h2>
        <Segmented
          label={t.usage.show}
          value={what}
          onChange={setWhat}
          options={[
            { value: "cost", label: t.usage.cost },
            { value: "tokens", label: t.usage.tokens },
          ]}
        />
      </header>
      <figure className="grid grid-cols-[auto_1fr] gap-x-2">
        <div aria-hidden className="flex h-40 flex-col justify-between text-right text-[11px] leading-none text-faint">
          <span>{shown(top, what)}</span>
          <span>{shown(top / 2, what)}</span>
          <span>0</span>
        </div>
        <div className="relative h-40">
          <Bars days={days} what={what} top={top} />
        </div>
        <div aria-hidden className="col-start-2 flex text-[11px] text-faint">
          {days.map((day, index) => (
            <span key={day.key} className="flex min-w-0 flex-1 justify-center overflow-visible whitespace-nowrap">
              <span className="w-0 overflow-visible">
                <span className="inline-block -translate-x-1/2">
                  {isMarked(index, days.length) ? dayMark(day.date) : ""}
                </span>
              </span>
            </span>
          ))}
        </div>
        <figcaption className="sr-only">
          {say(t.usage.perDay, { what: t.usage[what] })}.{" "}
          {say(t.usage.most, { day: dayName(highest.date), value: shown(valueOf(highest, what), what) })}
        </figcaption>
      </figure>
      <AsTable days={days} />
    </section>
  );
}
