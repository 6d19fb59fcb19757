import type { FileChange } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { LineCounts } from "./line-counts";

/** Changed files with their counts. */
export function FileChanges({ files }: { files: FileChange[] }) {
  return (
    <ul className="mt-2 max-h-60 overflow-y-auto font-mono text-[12.5px]">
      {files.map((file) => (
        <li key={file.path} className="flex items-baseline gap-3 py-0.5">
          <span className="w-16 shrink-0 font-sans text-[12px] text-muted">{t.diff.status[file.status]}</span>
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {file.path}
            {file.old_path && <span className="text-muted"> ({say(t.diff.renamed, { from: file.old_path })})</span>}
          </span>
          <LineCounts insertions={file.insertions} deletions={file.deletions} />
        </li>
      ))}
    </ul>
  );
}
