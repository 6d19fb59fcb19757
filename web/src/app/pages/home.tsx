import { useNavigate, useSearch } from "@tanstack/react-router";
import { NO_FILTER, type SessionFilter } from "@/api/queries";
import { SessionsPage } from "@/features/sessions/sessions-page";
import { draftKeys, writeDraft } from "@/shared/lib/draft";

const GROUPS = ["needs_you", "running", "queued", "recent"] as const;
const SORTS = ["activity", "created"] as const;

function useTry() {
  const navigate = useNavigate();
  return (projectId: string, prompt: string) => {
    writeDraft(draftKeys.newChat, prompt);
    void navigate({ to: "/new", search: { project: projectId } });
  };
}

export function Home() {
  const search = useSearch({ from: "/" });
  const navigate = useNavigate();
  const onTry = useTry();
  const filter: SessionFilter = {
    q: search.q ?? "",
    sort: SORTS.find((sort) => sort === search.sort) ?? "activity",
    group: GROUPS.find((group) => group === search.show) ?? null,
    archived: search.show === "archived",
    projectId: search.project ?? null,
  };
  const onFilter = (next: SessionFilter) =>
    void navigate({
      to: "/",
      replace: true,
      search: {
        q: next.q || undefined,
        sort: next.sort === "activity" ? undefined : next.sort,
        show: next.archived ? "archived" : (next.group ?? undefined),
        project: next.projectId ?? undefined,
      },
    });
  return <SessionsPage filter={filter} onFilter={onFilter} onTry={onTry} />;
}

const INBOX: SessionFilter = { ...NO_FILTER, group: "needs_you" };

export function InboxHome() {
  const navigate = useNavigate();
  const onTry = useTry();
  return (
    <SessionsPage
      filter={INBOX}
      onTry={onTry}
      onFilter={(next) =>
        void navigate({
          to: "/",
          search: { q: next.q || undefined, show: next.archived ? "archived" : (next.group ?? undefined) },
        })
      }
    />
  );
}
