import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveAgentYaml } from "@/api/actions";
import { problemsOf } from "@/api/errors";
import type { Commands } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { Failure } from "@/shared/ui/failure";
import { toast } from "@/shared/ui/toast";
import { YamlText } from "./yaml-text";

/** agent.yaml as it is in the repository. What is wrong with it stands beside it, and it can be set right here. */
export function YamlFile({ projectId, commands }: { projectId: string; commands: Commands }) {
  const [base, setBase] = useState(commands.text);
  const [text, setText] = useState(commands.text ?? "");
  const take = (now: string | null) => {
    setBase(now);
    setText(now ?? "");
  };
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () => saveAgentYaml(projectId, text, base),
    onSuccess: (saved) => {
      take(saved.text);
      client.setQueryData(["commands", projectId], saved);
      toast.done(t.checks.written);
    },
  });
  const edited = text !== (base ?? "");
  const moved = commands.text !== base;
  // The file may be changed by others; what is being written here is never replaced unasked.
  if (moved && !edited) take(commands.text);
  const refused = problemsOf(saving.error);
  // What the file on disk gets wrong is named until the text differs from it; then only a save can tell.
  const problems = refused.length > 0 ? refused : edited ? [] : commands.problems;
  const change = (next: string) => {
    setText(next);
    saving.reset();
  };
  return (
    <section aria-label={t.checks.file} className="card mb-4 flex flex-col gap-3 p-4">
      <div>
        <h2 className="font-mono text-[13px] font-semibold">{t.checks.file}</h2>
        <p className="text-[13px] text-muted">{commands.text === null ? t.checks.unreadable : t.checks.fileLead}</p>
      </div>
      <YamlText text={text} onText={change} problems={problems} />
      {moved && edited && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-2 rounded-lg border border-warn-line bg-warn-soft px-3 py-2 text-[13px]"
        >
          <span className="min-w-0 flex-1">{t.checks.moved}</span>
          <Button
            size="sm"
            onClick={() => {
              take(commands.text);
              saving.reset();
            }}
          >
            {t.checks.movedShow}
          </Button>
        </div>
      )}
      {saving.isError && refused.length === 0 && <Failure error={saving.error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {commands.problems.length > 0 && (
          <Button size="sm" look="quiet" className="mr-auto" onClick={() => change(commands.proposed)}>
            {t.checks.useProposed}
          </Button>
        )}
        {edited && (
          <Button size="sm" look="quiet" disabled={saving.isPending} onClick={() => change(base ?? "")}>
            {t.checks.undoText}
          </Button>
        )}
        <Button size="sm" look="primary" disabled={saving.isPending || !edited} onClick={() => saving.mutate()}>
          {saving.isPending ? t.checks.writing : t.checks.write}
        </Button>
      </div>
    </section>
  );
}
