import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FolderPlus } from "lucide-react";
import { useEffect, useState } from "react";
import { createSession, prepareAgent } from "@/api/actions";
import { beginThread, projectsQuery } from "@/api/queries";
import type { Message, Session, SessionMade } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { titleOf } from "@/shared/lib/words";
import { draftKeys } from "@/shared/lib/draft";
import { AddProject } from "@/shared/ui/add-project";
import { Button } from "@/shared/ui/button";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { Select } from "@/shared/ui/select";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { Composer } from "./composer";

interface Props {
  projectId: string | null;
  onProject: (projectId: string) => void;
  /** Ends when its thread is shown. */
  onStarted: (session: Session) => Promise<void>;
}

export function NewChatPage({ projectId, onProject, onStarted }: Props) {
  const client = useQueryClient();
  const projects = useQuery(projectsQuery);
  const [adds, setAdds] = useState(false);
  const items = projects.data?.items ?? [];
  const chosen = items.find((project) => project.id === projectId) ?? items[0] ?? null;
  const chosenId = chosen?.id;
  // It is ready by the time the message is written.
  useEffect(() => {
    if (chosenId !== undefined) prepareAgent(chosenId);
  }, [chosenId]);

  const show = async (made: SessionMade) => {
    beginThread(client, made);
    await onStarted(made);
  };
  const send = async (message: Message) => {
    if (!chosen) return null;
    const label = titleOf(message.text);
    const sent = await createSession(
      { project_path: chosen.path, kind: "chat", title: null, agent: message.agent ?? null, message },
      label,
      draftKeys.newChat,
    );
    if (!sent.queued) return { shown: show(sent.answer) };
    toast.done(say(t.connection.queued, { label }));
    return null;
  };

  return (
    <Page title={t.compose.newTitle} lead={t.compose.newLead}>
      <Missing query={projects}>
        <SkeletonRows rows={2} className="h-24" />
      </Missing>
      {projects.data && (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center gap-2">
            {items.length > 0 && (
              <>
                <span className="font-medium" aria-hidden>
                  {t.compose.project}
                </span>
                <Select
                  label={t.compose.project}
                  value={chosen?.id ?? ""}
                  options={items.map((project) => ({
                    value: project.id,
                    label: project.sample ? `${project.name} (${t.projects.sample})` : project.name,
                  }))}
                  onChange={onProject}
                  className="max-w-72"
                />
                {chosen && <span className="min-w-0 truncate font-mono text-[12px] text-faint">{chosen.path}</span>}
              </>
            )}
            {items.length === 0 && <p className="text-muted">{t.compose.noProjects}</p>}
            <Button
              look="quiet"
              size="sm"
              aria-expanded={adds}
              icon={<FolderPlus size={15} aria-hidden />}
              onClick={() => setAdds(!adds)}
            >
              {t.compose.addPath}
            </Button>
          </div>
          {(adds || items.length === 0) && (
            <div className="card p-4">
              <AddProject
                onAdded={(project) => {
                  onProject(project.id);
                  setAdds(false);
                }}
              />
            </div>
          )}
          <Composer
            tall
            draftKey={draftKeys.newChat}
            projectId={chosen?.id ?? null}
            target={{ kind: "new", project: chosen?.name ?? null }}
            blocked={chosen ? chosen.problem : t.compose.choose}
            onSend={send}
          />
        </div>
      )}
    </Page>
  );
}
