import { useQuery } from "@tanstack/react-query";
import { chooseProjectAgent } from "@/api/actions";
import { agentsQuery } from "@/api/queries";
import type { Project } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { Select } from "@/shared/ui/select";
import { toast } from "@/shared/ui/toast";

/** Who works on this project, unless its agent.yaml, a session or a message names another. */
export function ProjectAgent({ project }: { project: Project }) {
  const agents = useQuery(agentsQuery);
  const choosing = useAction(["projects"], {
    mutationFn: (agent: string | null) => chooseProjectAgent(project.id, agent),
    onSuccess: () => toast.done(say(t.projects.agentSet, { project: project.name })),
  });
  const known = agents.data?.items ?? [];
  const offered = known.filter((agent) => agent.installed || agent.name === project.agent);
  const gone = project.agent !== null && !known.some((agent) => agent.name === project.agent);
  return (
    <Select
      label={say(t.projects.agent, { project: project.name })}
      value={project.agent ?? ""}
      options={[
        { value: "", label: t.projects.agentDefault },
        ...offered.map((agent) => ({ value: agent.name, label: agent.label })),
        ...(gone && project.agent !== null ? [{ value: project.agent, label: project.agent }] : []),
      ]}
      onChange={(agent) => choosing.mutate(agent === "" ? null : agent)}
      className="h-7 text-[13px]"
    />
  );
}
