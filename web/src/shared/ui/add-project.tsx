import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addProject } from "@/api/actions";
import type { Project } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Button } from "./button";
import { Failure } from "./failure";
import { toast } from "./toast";

/** Adds a repository by its path; what stands in the way is said with its remedy, in place. */
export function AddProject({ onAdded }: { onAdded?: (project: Project) => void }) {
  const [path, setPath] = useState("");
  const client = useQueryClient();
  const adding = useMutation({
    mutationFn: addProject,
    onSuccess: async (project) => {
      toast.done(say(t.compose.added, { name: project.name }));
      setPath("");
      await client.invalidateQueries({ queryKey: ["projects"] });
      onAdded?.(project);
    },
  });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== "") adding.mutate(path.trim());
      }}
    >
      <label className="flex flex-col gap-1.5 font-medium">
        {t.compose.path}
        <span className="flex gap-2">
          <input
            value={path}
            onChange={(event) => setPath(event.target.value)}
            placeholder={t.compose.pathPlaceholder}
            spellCheck={false}
            autoCapitalize="off"
            className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-panel px-2.5 font-mono text-[13px] font-normal"
          />
          <Button type="submit" disabled={path.trim() === "" || adding.isPending}>
            {adding.isPending ? t.compose.adding : t.compose.add}
          </Button>
        </span>
      </label>
      {adding.isError && <Failure error={adding.error} />}
    </form>
  );
}
