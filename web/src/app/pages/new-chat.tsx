import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import type { Session } from "@/api/types";
import { NewChatPage } from "@/features/compose/new-chat-page";

/** The box the person wrote in is gone: they may go on in that of the thread. A finger would get a keyboard over the answer. */
function focusOnComposer(): void {
  if (document.activeElement !== document.body || window.matchMedia("(pointer: coarse)").matches) return;
  document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus({ preventScroll: true });
}

export function NewChat() {
  const { project } = useSearch({ from: "/new" });
  const navigate = useNavigate();
  const router = useRouter();
  const show = async ({ project_id: projectId, slug }: Session) => {
    // Whoever went elsewhere meanwhile is not called back.
    if (router.state.location.pathname !== "/new") return;
    await navigate({ to: "/sessions/$projectId/$slug", params: { projectId, slug } });
    focusOnComposer();
  };
  return (
    <NewChatPage
      projectId={project ?? null}
      onProject={(id) => void navigate({ to: "/new", search: { project: id }, replace: true })}
      onStarted={show}
    />
  );
}
