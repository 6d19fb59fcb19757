import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Diff as DiffTable, Hunk, parseDiff, type FileData } from "react-diff-view";
import "react-diff-view/style/index.css";
import { diffQuery, type DiffPart } from "@/api/queries";
import type { Diff, FileChange } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useMedia } from "@/shared/lib/media";
import { Failure } from "@/shared/ui/failure";
import { Segmented } from "@/shared/ui/segmented";
import { Skeleton } from "@/shared/ui/skeleton";
import { LineCounts } from "@/shared/ui/line-counts";
import "./diff.css";

const OPEN_FILES = 20;
const OPEN_LINES = 800;
const SHOWN_LINES = 5000;
type Shape = "split" | "unified";

const Hunks = memo(function Hunks({ file, shape }: { file: FileData; shape: Shape }) {
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.changes.length, 0);
  if (lines > SHOWN_LINES) return <p className="p-3 text-muted">{t.diff.tooLong}</p>;
  return (
    <div className="overflow-x-auto">
      <DiffTable viewType={shape} diffType={file.type} hunks={file.hunks}>
        {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
      </DiffTable>
    </div>
  );
});

function LoadedFile({ taskId, part, path, shape }: { taskId: string; part: DiffPart; path: string; shape: Shape }) {
  const diff = useQuery(diffQuery(taskId, { ...part, path }));
  const file = useMemo(() => (diff.data ? parseDiff(diff.data.patch)[0] : undefined), [diff.data]);
  if (diff.isPending) return <Skeleton className="m-3 h-16" />;
  if (diff.isError) return <Failure error={diff.error} />;
  return file ? <Hunks file={file} shape={shape} /> : <p className="p-3 text-muted">{t.diff.tooLong}</p>;
}

interface FileProps {
  change: FileChange;
  file: FileData | undefined;
  shape: Shape;
  startsOpen: boolean;
  taskId: string;
  part: DiffPart;
}

function File({ change, file, shape, startsOpen, taskId, part }: FileProps) {
  const [open, setOpen] = useState(startsOpen);
  return (
    <section id={`file-${change.path}`} className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="sticky top-0 z-10 flex min-h-9 w-full items-center gap-2 bg-panel px-3 text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-faint transition-transform ${open ? "rotate-90" : ""}`}
        />
        <span className="min-w-0 flex-1 font-mono text-[12.5px] [overflow-wrap:anywhere]">
          {change.path}
          {change.old_path && <span className="text-muted"> ({say(t.diff.renamed, { from: change.old_path })})</span>}
        </span>
        <span className="text-[12px] text-muted">{t.diff.status[change.status]}</span>
        <LineCounts insertions={change.insertions} deletions={change.deletions} />
      </button>
      {open &&
        (change.binary ? (
          <p className="px-3 pb-3 text-muted">{t.diff.binary}</p>
        ) : file ? (
          <Hunks file={file} shape={shape} />
        ) : (
          <LoadedFile taskId={taskId} part={part} path={change.path} shape={shape} />
        ))}
    </section>
  );
}

interface Props {
  taskId: string;
  part: DiffPart;
  diff: Diff;
  looksAt: string | null;
  /** Where there is no room for two columns; without it the person chooses. */
  shape?: "unified";
}

export default function DiffFiles({ taskId, part, diff, looksAt, shape: fixed }: Props) {
  const wide = useMedia("(min-width: 900px)");
  const [chosen, setChosen] = useState<Shape | null>(null);
  const shape = fixed ?? chosen ?? (wide && part.step === undefined ? "split" : "unified");
  const files = useMemo(() => {
    if (diff.truncated) return new Map<string, FileData>();
    return new Map(parseDiff(diff.patch).map((file) => [file.type === "delete" ? file.oldPath : file.newPath, file]));
  }, [diff]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const section = looksAt === null ? null : document.getElementById(`file-${looksAt}`);
    // `scrollIntoView` would also move the frame around it.
    if (box.current && section) box.current.scrollTop = section.offsetTop;
  }, [looksAt]);
  const few = diff.stat.files.length <= OPEN_FILES;
  return (
    <div ref={box} className="relative min-h-0 flex-1 overflow-y-auto" data-diff={shape}>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-3 py-2 text-[13px]">
        <span className="font-medium">{say(t.task.files, { count: diff.stat.files_changed })}</span>
        <LineCounts insertions={diff.stat.insertions} deletions={diff.stat.deletions} />
        {wide && !fixed && (
          <span className="ml-auto">
            <Segmented
              label={t.diff.view}
              value={shape}
              options={[
                { value: "split", label: t.diff.split },
                { value: "unified", label: t.diff.unified },
              ]}
              onChange={setChosen}
            />
          </span>
        )}
      </div>
      {diff.truncated && <p className="border-b border-line px-3 py-2 text-[13px] text-warn">{t.diff.truncated}</p>}
      {diff.stat.files.map((change) => (
        <File
          key={change.path === looksAt ? `${change.path} ` : change.path}
          change={change}
          file={files.get(change.path)}
          shape={shape}
          taskId={taskId}
          part={part}
          startsOpen={
            change.path === looksAt ||
            (few && !diff.truncated && (change.insertions ?? 0) + (change.deletions ?? 0) <= OPEN_LINES)
          }
        />
      ))}
    </div>
  );
}
