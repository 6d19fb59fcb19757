import { useParams } from "@tanstack/react-router";
import { ChecksPage } from "@/features/projects/checks/checks-page";

export function Checks() {
  const { projectId } = useParams({ from: "/projects/$projectId/checks" });
  return <ChecksPage key={projectId} projectId={projectId} />;
}
