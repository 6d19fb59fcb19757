import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { diffQuery, type DiffPart } from "@/api/queries";
import { t } from "@/shared/i18n/t";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";

const DiffFiles = lazy(() => import("./diff-files"));

interface Props {
  taskId: string;
  part?: DiffPart;
  file?: string | null;
  shape?: "unified";
}

/** The changes of a task or of one step. The viewer itself loads when it is first opened. */
export function DiffPane({ taskId, part = {}, file = null, shape }: Props) {
  const diff = useQuery(diffQuery(taskId, part));
  const rows = <SkeletonRows rows={5} className="h-6" />;
  if (!diff.data)
    return (
      <Missing query={diff} className="p-3">
        {rows}
      </Missing>
    );
  if (diff.data.stat.files_changed === 0) return <p className="p-4 text-muted">{t.diff.empty}</p>;
  return (
    <Suspense fallback={<div className="p-3">{rows}</div>}>
      <DiffFiles taskId={taskId} part={part} diff={diff.data} looksAt={file} {...(shape ? { shape } : {})} />
    </Suspense>
  );
}
