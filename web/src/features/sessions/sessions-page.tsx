import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import { useLive } from "@/events/live";
import { NO_FILTER, sessionsQuery, type SessionFilter } from "@/api/queries";
import type { Session } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { count } from "@/shared/lib/numbers";
import { Button } from "@/shared/ui/button";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { Select } from "@/shared/ui/select";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { FirstSteps } from "./first-steps";
import { grouped, withLiveSession } from "./groups";
import { SessionRow } from "./session-row";

const SHOW = ["all", "needs_you", "running", "queued", "recent", "archived"] as const;
type Show = (typeof SHOW)[number];
const SORTS = ["activity", "created"] as const;

const showOf = (filter: SessionFilter): Show => (filter.archived ? "archived" : (filter.group ?? "all"));

function showFilter(show: Show): Pick<SessionFilter, "group" | "archived"> {
  return { archived: show === "archived", group: show === "all" || show === "archived" ? null : show };
}

function useSessions(filter: SessionFilter) {
  const query = useInfiniteQuery({ ...sessionsQuery(filter), placeholderData: (before) => before });
  const live = useLive(useShallow((state) => ({ sessions: state.sessions, tasks: state.tasks })));
  const sessions = useMemo(() => {
    const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
    return rows
      .map((row): Session =>
        withLiveSession(row, live.sessions[row.id], row.current_task_id ? live.tasks[row.current_task_id] : undefined),
      )
      .filter(
        (row) =>
          !row.deleted && row.archived === filter.archived && (filter.group === null || row.group === filter.group),
      );
  }, [query.data, live, filter]);
  return { query, sessions, counts: query.data?.pages[0]?.counts ?? {} };
}

interface Props {
  filter: SessionFilter;
  onFilter: (filter: SessionFilter) => void;
  onTry: (projectId: string, prompt: string) => void;
}

export function SessionsPage({ filter, onFilter, onTry }: Props) {
  const { query, sessions, counts } = useSessions(filter);
  const inbox = filter.group === "needs_you" && filter.q === "";
  const untouched = filter.q === "" && filter.group === null && !filter.archived && filter.projectId === null;
  return (
    <Page title={inbox ? t.sessions.inbox : t.sessions.title} {...(inbox ? { lead: t.sessions.inboxLead } : {})}>
      <div className="mb-3 flex flex-wrap gap-2">
        <label className="flex h-8 min-w-52 flex-1 items-center max-sm:basis-full gap-2 rounded-md border border-line-strong bg-panel px-2.5 focus-within:outline-2 focus-within:outline-accent">
          <Search size={14} aria-hidden className="text-faint" />
          <input
            type="search"
            aria-label={t.sessions.search}
            placeholder={t.sessions.search}
            value={filter.q}
            onChange={(event) => onFilter({ ...filter, q: event.target.value })}
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
        </label>
        <Select
          label={t.sessions.filter}
          value={showOf(filter)}
          options={SHOW.map((show) => ({
            value: show,
            label: show === "all" ? t.sessions.all : show === "archived" ? t.sessions.archived : t.group[show],
          }))}
          onChange={(show) => onFilter({ ...filter, ...showFilter(show) })}
          className="max-sm:flex-1"
        />
        <Select
          label={t.sessions.sort}
          value={filter.sort}
          options={SORTS.map((sort) => ({ value: sort, label: t.sessions.sorts[sort] }))}
          onChange={(sort) => onFilter({ ...filter, sort })}
          className="max-sm:flex-1"
        />
      </div>
      <Missing query={query}>
        <SkeletonRows rows={6} />
      </Missing>
      {query.data && sessions.length === 0 && untouched && <FirstSteps onTry={onTry} />}
      {query.data && sessions.length === 0 && !untouched && (
        <div className="card px-6 py-12 text-center">
          <p className="font-medium">{inbox ? t.sessions.inboxEmpty : t.sessions.none}</p>
          <p className="mt-1 text-muted">{inbox ? t.sessions.inboxEmptyLead : t.sessions.noneLead}</p>
          <Button className="mt-4" onClick={() => onFilter(NO_FILTER)}>
            {t.sessions.clear}
          </Button>
        </div>
      )}
      {grouped(sessions).map((part) => (
        <section key={part.group} aria-labelledby={`group-${part.group}`} className="mb-5">
          <h2
            id={`group-${part.group}`}
            className="mb-1.5 flex items-baseline gap-2 px-1 text-[13px] font-semibold text-muted"
          >
            {t.group[part.group]}
            <span className="font-normal text-faint">
              {count(Math.max(counts[part.group] ?? 0, part.sessions.length))}
            </span>
          </h2>
          <ul className="card divide-y divide-line overflow-hidden">
            {part.sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        </section>
      ))}
      {query.hasNextPage && (
        <div className="flex justify-center">
          <Button
            disabled={query.isFetchingNextPage}
            onClick={() => {
              void query.fetchNextPage();
            }}
          >
            {query.isFetchingNextPage ? t.common.loading : t.common.loadMore}
          </Button>
        </div>
      )}
    </Page>
  );
}
