import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { waysBackQuery } from "@/api/queries";
import type { WayBack, WaysOfWorkspace } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { LineCounts } from "@/shared/ui/line-counts";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";
import { UndoDialog } from "@/shared/ways/undo-dialog";

function Row({ projectId, way, onUndo }: { projectId: string; way: WayBack; onUndo: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <Link
          to="/sessions/$projectId/$slug"
          params={{ projectId, slug: way.session_slug }}
          search={{ task: way.task_id }}
          className="block truncate font-medium hover:text-accent hover:underline"
        >
          {way.prompt.split("\n", 1)[0]}
        </Link>
        <p className="flex flex-wrap items-baseline gap-x-2 text-[13px] text-muted">
          <span className="min-w-0 truncate">{way.session_title}</span>
          <Ago at={way.at} />
          {way.replay && <span>{t.ways.before}</span>}
        </p>
      </div>
      <span className="flex items-baseline gap-2 text-[13px] text-muted">
        {say(t.ways.files, { count: way.files_changed })}
        <LineCounts insertions={way.insertions} deletions={way.deletions} />
      </span>
      {way.undone_at !== null ? (
        <span className="text-[13px] text-muted">
          {t.ways.undone} · <Ago at={way.undone_at} />
        </span>
      ) : way.kept ? (
        <Button size="sm" icon={<Undo2 size={14} aria-hidden />} onClick={onUndo}>
          {t.ways.undo}
        </Button>
      ) : (
        <span className="text-[13px] text-muted">{t.ways.gone}</span>
      )}
    </li>
  );
}

function Place({ place }: { place: WaysOfWorkspace }) {
  const [chosen, setChosen] = useState<WayBack | null>(null);
  return (
    <section aria-label={place.path} className="card overflow-hidden">
      <header className="border-b border-line px-4 py-2.5">
        <h2 className="font-semibold">
          {place.project_name}
          {place.branch !== null && <span className="font-normal text-muted"> · {place.branch}</span>}
        </h2>
        <p className="truncate font-mono text-[12px] text-faint">{place.path}</p>
      </header>
      <ul className="divide-y divide-line">
        {place.items.map((way) => (
          <Row key={way.rollback_id} projectId={place.project_id} way={way} onUndo={() => setChosen(way)} />
        ))}
      </ul>
      {chosen && <UndoDialog taskId={chosen.task_id} rollbackId={chosen.rollback_id} onClose={() => setChosen(null)} />}
    </section>
  );
}

/** Everything that was rolled back, by workspace, and the way to bring each back. */
export function WaysBackPage({ project }: { project: string | undefined }) {
  const ways = useQuery(waysBackQuery);
  const places = (ways.data?.items ?? []).filter((place) => project === undefined || place.project_id === project);
  return (
    <Page title={t.ways.title} lead={t.ways.lead}>
      <Missing query={ways}>
        <SkeletonRows />
      </Missing>
      {ways.data && places.length === 0 && (
        <div className="card px-6 py-10 text-center">
          <p className="font-medium">{t.ways.empty}</p>
          <p className="mt-1 text-muted">{t.ways.emptyHint}</p>
        </div>
      )}
      <div className="flex flex-col gap-4">
        {places.map((place) => (
          <Place key={place.workspace_id} place={place} />
        ))}
      </div>
    </Page>
  );
}
