import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { commit } from "@/api/actions";
import { programsOf, type Program } from "@/api/errors";
import { changesQuery } from "@/api/queries";
import type { ChangedFile, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { Dialog } from "@/shared/ui/dialog";
import { Missing } from "@/shared/ui/missing";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { subjectOf } from "./task-state";

function Files({
  files,
  left,
  onLeft,
}: {
  files: ChangedFile[];
  left: ReadonlySet<string>;
  onLeft: (left: Set<string>) => void;
}) {
  const toggle = (path: string, on: boolean) => {
    const next = new Set(left);
    if (on) next.delete(path);
    else next.add(path);
    onLeft(next);
  };
  return (
    <ul className="max-h-56 overflow-y-auto rounded-md border border-line">
      <li className="border-b border-line px-3 py-1.5">
        <label className="flex cursor-pointer items-center gap-2 font-medium">
          <input
            type="checkbox"
            className="accent-accent"
            checked={left.size === 0}
            onChange={(event) => onLeft(event.target.checked ? new Set() : new Set(files.map((file) => file.path)))}
          />
          {t.changes.all}
        </label>
      </li>
      {files.map((file) => (
        <li key={file.path} className="px-3 py-1">
          <label className="flex cursor-pointer items-center gap-2 font-mono text-[12.5px]">
            <input
              type="checkbox"
              className="accent-accent"
              checked={!left.has(file.path)}
              onChange={(event) => toggle(file.path, event.target.checked)}
            />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{file.path}</span>
            <span className="font-sans text-[12px] text-muted">{t.diff.status[file.status]}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}

function Programs({ programs }: { programs: Program[] }) {
  return (
    <div role="alert" aria-label={t.changes.programsTitle} className="rounded-lg bg-warn-soft px-3 py-2.5">
      <p className="font-medium text-warn">{t.changes.programsTitle}</p>
      <p className="text-[13px]">{t.changes.programsLead}</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {programs.map((program) => (
          <li key={program.digest}>
            <details>
              <summary className="cursor-pointer font-mono text-[12.5px] font-medium">{program.name}</summary>
              <pre className="mt-1 max-h-40 overflow-auto rounded-md bg-bg px-2 py-1.5 text-[12px] whitespace-pre-wrap">
                {program.text}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function CommitDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const id = useId();
  const changes = useQuery({ ...changesQuery(task), staleTime: 0 });
  const [message, setMessage] = useState(() => subjectOf(task));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const files = changes.data?.files ?? [];
  const chosen = files.filter((file) => !left.has(file.path));
  const problem =
    message.trim() === ""
      ? t.changes.commitEmpty
      : chosen.length === 0
        ? t.changes.commitNoFile
        : (changes.data?.busy ?? null);
  const committing = useAction(["tasks", "changes"], {
    mutationFn: (accept: string[]) =>
      commit(
        task.project_id,
        message.trim(),
        left.size === 0 ? null : chosen.flatMap((file) => (file.old_path ? [file.path, file.old_path] : [file.path])),
        task.task_id,
        accept,
      ),
    onError: (error) => {
      if (programsOf(error).length === 0) toast.error(error);
    },
    onSuccess: (result) => {
      onClose();
      toast.done(say(t.changes.committed, { count: result.files, sha: result.commit.slice(0, 8) }));
    },
  });
  const programs = programsOf(committing.error);
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t.changes.commitTitle}
      description={t.changes.commitLead}
      action={{
        label: committing.isPending
          ? t.changes.committing
          : programs.length > 0
            ? say(t.changes.commitAccept, { count: chosen.length })
            : say(t.changes.commitDo, { count: chosen.length }),
        look: "primary",
        disabled: problem !== null || committing.isPending || !changes.data,
        why: problem,
        run: () => committing.mutate(programs.map((program) => program.digest)),
      }}
    >
      <div className="flex flex-col gap-3">
        <label htmlFor={id} className="font-medium">
          {t.changes.commitMessage}
        </label>
        <textarea
          id={id}
          rows={3}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          className="-mt-2 rounded-md border border-line-strong bg-bg px-3 py-2"
        />
        <Missing query={changes}>
          <Skeleton className="h-24" />
        </Missing>
        {changes.data &&
          (files.length === 0 ? (
            <p className="text-muted">{t.changes.nothing}</p>
          ) : (
            <Files files={files} left={left} onLeft={setLeft} />
          ))}
        {programs.length > 0 && <Programs programs={programs} />}
        {problem !== null && changes.data && <p className="text-[13px] text-warn">{problem}</p>}
      </div>
    </Dialog>
  );
}
