import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, FolderGit2 } from "lucide-react";
import { projectsQuery } from "@/api/queries";
import { t } from "@/shared/i18n/t";
import { buttonClass } from "@/shared/ui/button";

/** What a new person sees first: something that works at once. */
export function FirstSteps({ onTry }: { onTry: (projectId: string, prompt: string) => void }) {
  const projects = useQuery(projectsQuery);
  const sample = projects.data?.items.find((project) => project.sample && project.suggestions.length > 0);
  return (
    <section className="card overflow-hidden" aria-labelledby="first-steps">
      <div className="px-6 pt-7 pb-5">
        <h2 id="first-steps" className="text-base font-semibold">
          {t.sessions.emptyTitle}
        </h2>
        <p className="mt-1 max-w-prose text-muted">{sample ? t.sessions.emptyLead : t.sessions.emptyNoSample}</p>
      </div>
      {sample && (
        <>
          <h3 className="px-6 pb-2 text-[13px] font-semibold text-muted">{t.sessions.tryThese}</h3>
          <ul className="divide-y divide-line border-y border-line">
            {sample.suggestions.map((suggestion) => (
              <li key={suggestion.title}>
                <button
                  type="button"
                  onClick={() => onTry(sample.id, suggestion.prompt)}
                  className="group flex min-h-14 w-full items-center gap-4 px-6 py-3 text-left hover:bg-raised focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium">{suggestion.title}</span>
                    <span className="block truncate text-[13px] text-muted">{suggestion.prompt}</span>
                  </span>
                  <ArrowRight size={16} aria-hidden className="text-faint group-hover:text-accent" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="px-6 py-4">
        <Link to="/projects" className={buttonClass("plain")}>
          <FolderGit2 size={15} aria-hidden />
          {t.sessions.addProject}
        </Link>
      </div>
    </section>
  );
}
