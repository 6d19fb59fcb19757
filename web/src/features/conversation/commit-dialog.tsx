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

interface GroupProps {
  title: string;
  files: ChangedFile[];
  chosen: ReadonlySet<string>;
  onChoose: (files: ChangedFile[], on: boolean) => void;
}

/** Files of one kind, with a box for all of them. */
function Group({ title, files, chosen, onChoose }: GroupProps) {
  const ticked = files.filter((file) => chosen.has(file.path)).length;
  if (files.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      <ul className="max-h-56 overflow-y-auto rounded-md border border-line">
        <li className="border-b border-line px-3 py-1.5">
          <label className="flex cursor-pointer items-center gap-2 font-medium">
            <input
              type="checkbox"
              className="accent-accent"
              checked={ticked === files.length}
              onChange={(event) => onChoose(files, event.target.checked)}
            />
            <span className="flex-1">{title}</span>
            <span className="font-normal text-muted">{say(t.changes.chosen, { ticked, count: files.length })}</span>
          </label>
        </li>
        {files.map((file) => (
          <li key={file.path} className="px-3 py-1">
            <label className="flex cursor-pointer items-center gap-2 font-mono text-[12.5px]">
              <input
                type="checkbox"
                className="accent-accent"
                checked={chosen.has(file.path)}
                onChange={(event) => onChoose([file], event.target.checked)}
              />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{file.path}</span>
              <span className="font-sans text-[12px] text-muted">{t.diff.status[file.status]}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
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
  // What the person ticked or unticked; the rest is as it begins: what the task changed is ticked.
  const [decided, setDecided] = useState<ReadonlyMap<string, boolean>>(new Map());
  const files = changes.data?.files ?? [];
  const chosen = files.filter((file) => decided.get(file.path) ?? file.by_task);
  const names = new Set(chosen.map((file) => file.path));
  const choose = (some: ChangedFile[], on: boolean) =>
    setDecided(new Map([...decided, ...some.map((file) => [file.path, on] as const)]));
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
        chosen.length === files.length && task.newest_of_workspace
          ? null
          : chosen.flatMap((file) => (file.old_path ? [file.path, file.old_path] : [file.path])),
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
            <>
              <Group
                title={t.changes.byTask}
                files={files.filter((file) => file.by_task)}
                chosen={names}
                onChoose={choose}
              />
              <Group
                title={t.changes.also}
                files={files.filter((file) => !file.by_task)}
                chosen={names}
                onChoose={choose}
              />
            </>
          ))}
        {programs.length > 0 && <Programs programs={programs} />}
        {problem !== null && changes.data && <p className="text-[13px] text-warn">{problem}</p>}
      </div>
    </Dialog>
  );
}
