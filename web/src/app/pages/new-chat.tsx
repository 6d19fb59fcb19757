import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { projectsQuery } from "@/api/queries";
import { NewChatPage } from "@/features/compose/new-chat-page";
import { useThreadParts } from "../later";

export function NewChat() {
  const { project } = useSearch({ from: "/new" });
  const navigate = useNavigate();
  useThreadParts(useQuery(projectsQuery).isSuccess);
  return (
    <NewChatPage
      projectId={project ?? null}
      onProject={(id) => void navigate({ to: "/new", search: { project: id }, replace: true })}
      onStarted={(session) => navigate({ to: "/sessions/$projectId/$slug", params: { projectId: session.project_id, slug: session.slug } })}
    />
  );
}
