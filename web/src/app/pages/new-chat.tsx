import { useNavigate, useSearch } from "@tanstack/react-router";
import { NewChatPage } from "@/features/compose/new-chat-page";

export function NewChat() {
  const { project } = useSearch({ from: "/new" });
  const navigate = useNavigate();
  return (
    <NewChatPage
      projectId={project ?? null}
      onProject={(id) => void navigate({ to: "/new", search: { project: id }, replace: true })}
      onStarted={(session) => void navigate({ to: "/sessions/$projectId/$slug", params: { projectId: session.project_id, slug: session.slug } })}
    />
  );
}
