import { useEffect } from "react";
import { prepareAgent } from "@/api/actions";
import type { Project } from "@/api/types";

/** Has the agent of a project ready by the time its first message is written. */
export function usePreparedAgent(project: Project | null): void {
  const id = project?.id;
  useEffect(() => {
    if (id !== undefined) prepareAgent(id);
  }, [id]);
}
