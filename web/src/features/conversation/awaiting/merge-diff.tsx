import { useMemo } from "react";
import { parseDiff, type FileData } from "react-diff-view";
import type { Merge } from "@/api/errors";
import type { Diff, FileChange } from "@/api/types";
import { t } from "@/shared/i18n/t";
import DiffFiles from "../detail/diff-files";

const STATUS: Record<FileData["type"], FileChange["status"]> = {
  add: "added",
  delete: "deleted",
  modify: "modified",
  rename: "renamed",
  copy: "added",
};

function changeOf(file: FileData): FileChange {
  const changes = file.hunks.flatMap((hunk) => hunk.changes);
  return {
    path: file.type === "delete" ? file.oldPath : file.newPath,
    old_path: file.type === "rename" ? file.oldPath : null,
    status: STATUS[file.type],
    insertions: changes.filter((change) => change.type === "insert").length,
    deletions: changes.filter((change) => change.type === "delete").length,
    binary: file.isBinary ?? false,
  };
}

/** A merge has no task to ask for its files: all there is to show came with the question. */
export default function MergeDiff({ taskId, merge }: { taskId: string; merge: Merge }) {
  const diff = useMemo<Diff>(() => {
    const files = merge.truncated ? [] : parseDiff(merge.patch).map(changeOf);
    return {
      stat: { files, files_changed: merge.files.length, insertions: merge.insertions, deletions: merge.deletions },
      patch: merge.patch,
      truncated: false,
    };
  }, [merge]);
  if (!merge.truncated) return <DiffFiles taskId={taskId} part={{}} diff={diff} looksAt={null} shape="unified" />;
  return (
    <div className="overflow-y-auto p-3">
      <p>{t.proposal.mergeLong}</p>
      <ul className="mt-1 font-mono text-[12.5px]">
        {merge.files.map((path) => (
          <li key={path} className="[overflow-wrap:anywhere]">
            {path}
          </li>
        ))}
      </ul>
    </div>
  );
}
