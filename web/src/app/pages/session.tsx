import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ThreadComposer } from "@/features/compose/thread-composer";
import { VIEWS } from "@/features/conversation/detail-view";
import { SessionView } from "@/features/conversation/session-view";

export function SessionPage() {
  const { projectId, slug } = useParams({ from: "/sessions/$projectId/$slug" });
  const search = useSearch({ from: "/sessions/$projectId/$slug" });
  const navigate = useNavigate();
  const view = VIEWS.find((name) => name === search.view);
  return (
    <SessionView
      key={`${projectId}/${slug}`}
      projectId={projectId}
      slug={slug}
      target={search.task ?? null}
      open={search.task && view ? { task: search.task, view, run: search.run, file: search.file } : null}
      onOpen={(open) =>
        void navigate({
          to: "/sessions/$projectId/$slug",
          params: { projectId, slug },
          search: open ? { task: open.task, view: open.view } : {},
          replace: true,
          resetScroll: false,
        })
      }
      onGone={() => void navigate({ to: "/" })}
      composer={(session, running, waiting) => (
        <ThreadComposer projectId={projectId} slug={slug} title={session.title} running={running} waiting={waiting} />
      )}
    />
  );
}
