import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveAgentYaml } from "@/api/actions";
import { problemsOf } from "@/api/errors";
import type { Commands } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Dialog } from "@/shared/ui/dialog";
import { Failure } from "@/shared/ui/failure";
import { toast } from "@/shared/ui/toast";
import { YamlText } from "./yaml-text";

interface Props {
  projectId: string;
  /** As they were when the person asked to save them. */
  commands: Commands;
  onClose: () => void;
}

/** What would be written, to read and to change, before it is. */
export function SaveDialog({ projectId, commands, onClose }: Props) {
  const [text, setText] = useState(commands.proposed);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () => saveAgentYaml(projectId, text, commands.text),
    onSuccess: (saved) => {
      client.setQueryData(["commands", projectId], saved);
      toast.done(t.checks.written);
      onClose();
    },
  });
  const problems = problemsOf(saving.error);
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t.checks.saveAs.replace("…", "")}
      description={t.checks.saveAsLead}
      action={{
        label: saving.isPending ? t.checks.writing : t.checks.write,
        look: "primary",
        disabled: saving.isPending,
        run: saving.mutate,
      }}
    >
      <div className="flex flex-col gap-3">
        {commands.text !== null && <p className="text-[13px] text-warn">{t.checks.replaces}</p>}
        <YamlText
          text={text}
          onText={(next) => {
            setText(next);
            saving.reset();
          }}
          problems={problems}
        />
        {saving.isError && problems.length === 0 && <Failure error={saving.error} />}
      </div>
    </Dialog>
  );
}
