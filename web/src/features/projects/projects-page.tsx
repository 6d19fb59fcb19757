import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { GitBranch, HardDrive, ListChecks, SquarePen, Undo2 } from "lucide-react";
import { useState } from "react";
import { projectsQuery } from "@/api/queries";
import type { Project } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { AddProject } from "@/shared/ui/add-project";
import { Button, buttonClass } from "@/shared/ui/button";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { ProjectAgent } from "./project-agent";
import { Storage } from "./storage";

function Row({ project }: { project: Project }) {
  const [storage, setStorage] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-center gap-2 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">{project.name}</span>
          {project.sample && (
            <span className="rounded bg-accent-soft px-1.5 text-[12px] font-medium text-accent">
              {t.projects.sample}
            </span>
          )}
        </p>
        <p className="truncate font-mono text-[12px] text-faint">{project.path}</p>
        {project.problem && <p className="text-[13px] text-warn">{project.problem}</p>}
      </div>
      {project.branch && (
        <span className="inline-flex items-center gap-1.5 text-[13px] text-muted" title={t.projects.branch}>
          <GitBranch size={14} aria-hidden />
          {project.branch}
        </span>
      )}
      <Link
        to="/"
        search={{ project: project.id }}
        className="text-[13px] text-muted hover:text-accent hover:underline"
      >
        {say(t.projects.sessions, { count: project.sessions })}
      </Link>
      <span className="flex flex-wrap items-center gap-1.5">
        <ProjectAgent project={project} />
        <Button
          look="quiet"
          size="sm"
          aria-expanded={storage}
          icon={<HardDrive size={14} aria-hidden />}
          onClick={() => setStorage(!storage)}
        >
          {t.storage.show}
        </Button>
        <Link
          to="/projects/$projectId/checks"
          params={{ projectId: project.id }}
          className={buttonClass("plain", "sm")}
        >
          <ListChecks size={14} aria-hidden />
          {t.checks.link}
        </Link>
        <Link to="/ways-back" search={{ project: project.id }} className={buttonClass("plain", "sm")}>
          <Undo2 size={14} aria-hidden />
          {t.ways.title}
        </Link>
        <Link to="/new" search={{ project: project.id }} className={buttonClass("plain", "sm")}>
          <SquarePen size={14} aria-hidden />
          {t.projects.newChat}
        </Link>
      </span>
      {storage && (
        <div className="basis-full">
          <Storage projectId={project.id} />
        </div>
      )}
    </li>
  );
}

export function ProjectsPage() {
  const projects = useQuery(projectsQuery);
  return (
    <Page title={t.projects.title} lead={t.projects.lead}>
      <div className="card mb-4 p-4">
        <AddProject />
      </div>
      <Missing query={projects}>
        <SkeletonRows rows={3} />
      </Missing>
      {projects.data?.items.length === 0 && <p className="py-8 text-center text-muted">{t.projects.none}</p>}
      {projects.data && projects.data.items.length > 0 && (
        <ul className="card divide-y divide-line">
          {projects.data.items.map((project) => (
            <Row key={project.id} project={project} />
          ))}
        </ul>
      )}
    </Page>
  );
}
