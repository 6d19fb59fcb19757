import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { projectsQuery, usageQuery } from "@/api/queries";
import type { Totals } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { count, money, percent, short } from "@/shared/lib/numbers";
import { useNow } from "@/shared/lib/time";
import { buttonClass } from "@/shared/ui/button";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { Segmented } from "@/shared/ui/segmented";
import { Select } from "@/shared/ui/select";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Breakdown } from "./breakdown";
import { beginning, everyDay } from "./days";
import { inAndOut, Plot, tokensOf } from "./plot";

export type Range = keyof typeof t.usage.ranges;

const RANGES: Range[] = ["1", "7", "30"];
const MINUTE = 60_000;

/** The time an address names, or a week. */
export const rangeOf = (days: number | undefined): Range => RANGES.find((range) => Number(range) === days) ?? "7";

function Figure({ label, value, hint = "" }: { label: string; value: string; hint?: string }) {
  return (
    <div className="card px-4 py-3">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="text-xl font-semibold tracking-tight">{value}</dd>
      {hint !== "" && <dd className="text-[12px] text-muted">{hint}</dd>}
    </div>
  );
}

function Figures({ totals }: { totals: Totals }) {
  return (
    <dl className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure label={t.usage.cost} value={money(totals.cost_usd)} />
      <Figure label={t.usage.tokens} value={short(tokensOf(totals))} hint={inAndOut(totals)} />
      <Figure
        label={t.usage.cache}
        value={totals.cache_share === null ? "–" : percent(totals.cache_share)}
        hint={t.usage.cacheHint}
      />
      <Figure label={t.usage.runs} value={count(totals.spawns)} />
    </dl>
  );
}

function Nothing({ longest, project }: { longest: boolean; project: string | null }) {
  return (
    <div className="card flex flex-col items-start gap-2 p-5">
      <p className="font-medium">{t.usage.none}</p>
      <p className="text-muted">{longest ? t.usage.noneAtAll : t.usage.noneFix}</p>
      <Link to="/new" search={project === null ? {} : { project }} className={buttonClass("primary", "sm")}>
        {t.usage.start}
      </Link>
    </div>
  );
}

interface Props {
  range: Range;
  project: string | null;
  onRange: (range: Range) => void;
  onProject: (project: string | null) => void;
}

export function UsagePage({ range, project, onRange, onProject }: Props) {
  const days = Number(range);
  // By the minute, so that midnight moves the days without a reload.
  const since = beginning(days, new Date(useNow(MINUTE)));
  const found = useQuery({ ...usageQuery("day", since, project), placeholderData: (before) => before });
  const projects = useQuery(projectsQuery);
  const known = projects.data?.items ?? [];
  const totals = found.data?.totals;
  const actions = (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      {known.length > 1 && (
        <Select
          label={t.usage.project}
          value={project ?? ""}
          onChange={(id) => onProject(id === "" ? null : id)}
          className="w-44"
          options={[
            { value: "", label: t.usage.allProjects },
            ...known.map((one) => ({ value: one.id, label: one.name })),
          ]}
        />
      )}
      <Segmented
        label={t.usage.range}
        value={range}
        onChange={onRange}
        options={RANGES.map((value) => ({ value, label: t.usage.ranges[value] }))}
      />
    </div>
  );
  return (
    <Page title={t.usage.title} lead={t.usage.lead} actions={actions}>
      <Missing query={found}>
        <SkeletonRows rows={2} className="h-32" />
      </Missing>
      {totals?.spawns === 0 && <Nothing longest={range === RANGES.at(-1)} project={project} />}
      {totals !== undefined && totals.spawns > 0 && (
        <>
          <Figures totals={totals} />
          {days > 1 && <Plot days={everyDay(since, days, found.data?.items ?? [])} />}
          <div className="flex flex-col gap-5">
            {project === null && <Breakdown by="project" since={since} project={project} />}
            <Breakdown by="session" since={since} project={project} />
            <Breakdown by="agent" since={since} project={project} />
            <Breakdown by="model" since={since} project={project} />
          </div>
        </>
      )}
    </Page>
  );
}
