import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { usageQuery } from "@/api/queries";
import type { UsageLine } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { money, percent, short } from "@/shared/lib/numbers";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { inAndOut, tokensOf } from "./plot";

type By = keyof typeof t.usage.by;

function Name({ by, line }: { by: By; line: UsageLine }) {
  if (by === "session" && line.project_id !== null && line.session_slug !== null) {
    return (
      <Link
        to="/sessions/$projectId/$slug"
        params={{ projectId: line.project_id, slug: line.session_slug }}
        className="text-accent hover:underline"
      >
        {line.label}
      </Link>
    );
  }
  return by === "model" && line.key === "" ? <span className="text-muted">{t.usage.unknownModel}</span> : line.label;
}

const NUMBER = "py-1.5 pl-3 text-right whitespace-nowrap align-top";

/** Sums by one thing, the dearest first, each with a bar for its part of the dearest. */
export function Breakdown({ by, since, project }: { by: By; since: Date; project: string | null }) {
  const found = useQuery({ ...usageQuery(by, since, project), placeholderData: (before) => before });
  const id = `usage-${by}`;
  const lines = found.data?.items ?? [];
  const most = Math.max(...lines.map((line) => line.cost_usd), 0);
  return (
    <section aria-labelledby={id} className="card min-w-0 p-4">
      <h2 id={id} className="mb-1 font-semibold">
        {t.usage.by[by]}
      </h2>
      <Missing query={found}>
        <SkeletonRows rows={2} className="h-8" />
      </Missing>
      {lines.length > 0 && (
        <table className="w-full">
          <thead>
            <tr className="border-b border-line text-[12px] text-muted">
              <th scope="col" className="py-1 text-left font-semibold">
                {t.usage.name[by]}
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-semibold">
                {t.usage.cost}
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-semibold">
                {t.usage.tokens}
              </th>
              <th
                scope="col"
                className="py-1 pl-3 text-right font-semibold whitespace-nowrap max-sm:hidden"
                title={t.usage.cacheHint}
              >
                {t.usage.cache}
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-semibold whitespace-nowrap max-sm:hidden">
                {t.usage.runs}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key} className="border-b border-line last:border-0">
                <th scope="row" className="w-full py-1.5 text-left font-normal [overflow-wrap:anywhere]">
                  <Name by={by} line={line} />
                  <span aria-hidden className="mt-1 block h-1 rounded-full bg-raised">
                    <span
                      className="block h-full rounded-full bg-accent/70"
                      style={{ width: `${most > 0 ? (100 * line.cost_usd) / most : 0}%` }}
                    />
                  </span>
                </th>
                <td className={NUMBER}>{money(line.cost_usd)}</td>
                <td className={NUMBER} title={inAndOut(line)}>
                  {short(tokensOf(line))}
                </td>
                <td className={`${NUMBER} max-sm:hidden`}>
                  {line.cache_share === null ? "–" : percent(line.cache_share)}
                </td>
                <td className={`${NUMBER} max-sm:hidden`}>{short(line.spawns)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {found.data?.more === true && (
        <p className="mt-2 text-[13px] text-muted">{say(t.usage.more, { n: lines.length })}</p>
      )}
    </section>
  );
}
