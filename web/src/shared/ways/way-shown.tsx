import type { Preview } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { FileChanges } from "@/shared/ui/file-changes";

/** What a rollback takes away, or an undo changes: files and commits, or what stands in its way. */
export function WayShown({ way, empty, total }: { way: Preview; empty: string; total: string }) {
  if (way.clashes.length > 0)
    return (
      <div role="alert" className="rounded-lg bg-bad-soft px-3 py-2.5">
        <p className="font-medium text-bad">{t.ways.clashes}</p>
        <ul className="mt-1.5 flex flex-col gap-1">
          {way.clashes.map((clash) => (
            <li key={clash.path} className="[overflow-wrap:anywhere]">
              <code className="font-mono text-[12.5px] font-medium">{clash.path}</code>
              <span className="text-muted"> {clash.reason}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  if (way.how === "nothing" || (way.files_changed === 0 && way.commits.length === 0))
    return <p className="text-muted">{empty}</p>;
  return (
    <>
      {way.how === "over" && (
        <p role="status" className="mb-2 rounded-lg bg-warn-soft px-3 py-2">
          {way.merged ? t.ways.merged : t.ways.over}
        </p>
      )}
      {way.commits.length > 0 && <p>{say(t.changes.takesCommits, { count: way.commits.length })}</p>}
      <p>{total}</p>
      <FileChanges files={way.files} />
      {way.patch !== "" && (
        <details className="mt-2">
          <summary className="cursor-pointer text-[13px] font-medium text-accent">{t.ways.patch}</summary>
          <pre
            tabIndex={0}
            className="mt-1.5 max-h-72 overflow-auto rounded-md border border-line bg-bg p-2 font-mono text-[12px]"
          >
            {way.patch}
          </pre>
          {way.truncated && <p className="text-[13px] text-muted">{t.diff.truncated}</p>}
        </details>
      )}
    </>
  );
}
