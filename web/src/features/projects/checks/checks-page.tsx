import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Info, OctagonAlert } from "lucide-react";
import { useState } from "react";
import { editChecks } from "@/api/actions";
import { commandsQuery, projectsQuery } from "@/api/queries";
import type { Check, CheckInput, Commands } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { InlineCode } from "@/shared/ui/inline-code";
import { Failure } from "@/shared/ui/failure";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { ChecksForm } from "./checks-form";
import { shownTime } from "./draft";
import { AcceptedChecks } from "./pin";
import { SaveDialog } from "./save-dialog";
import { YamlFile } from "./yaml-file";

function Origin({ commands }: { commands: Commands }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      <span className="rounded bg-accent-soft px-1.5 text-[13px] font-medium text-accent">
        {t.checks.origins[commands.origin]}
      </span>
      <span>{t.checks.originLead[commands.origin]}</span>
      {commands.package !== null && (
        <span className="font-mono text-[12.5px]">{say(t.checks.package, { folder: commands.package })}</span>
      )}
    </p>
  );
}

function Listed({ checks }: { checks: Check[] }) {
  if (checks.length === 0) return <p className="card mb-4 px-4 py-3 text-warn">{t.checks.noneAgentYaml}</p>;
  return (
    <ol aria-label={t.checks.list} className="card mb-4 divide-y divide-line">
      {checks.map((check, index) => (
        <li key={check.name} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5">
          <span aria-hidden className="w-5 text-right text-muted tabular-nums">
            {index + 1}
          </span>
          <span className="font-medium">{check.name}</span>
          <code className="min-w-0 font-mono text-[12.5px] [overflow-wrap:anywhere]">{check.shown}</code>
          <span className="ml-auto text-[12px] text-muted">
            {check.folder && `${say(t.checks.inFolder, { folder: check.folder })} · `}
            {say(t.checks.timeoutOf, { text: shownTime(check.timeout_seconds) })}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Notes({ notes }: { notes: string[] }) {
  if (notes.length === 0) return null;
  return (
    <section
      aria-label={t.checks.notes}
      className="flex items-start gap-2.5 rounded-lg border border-line bg-raised px-3 py-2.5 text-[13px]"
    >
      <Info size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
      <div className="min-w-0">
        <h2 className="font-medium">{t.checks.notes}</h2>
        <ul className="list-disc pl-4 text-muted">
          {notes.map((note) => (
            <li key={note} className="[overflow-wrap:anywhere]">
              <InlineCode text={note} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Body({ projectId, commands }: { projectId: string; commands: Commands }) {
  const client = useQueryClient();
  const [shown, setShown] = useState<Commands | null>(null);
  const keep = (saved: Commands) => {
    client.setQueryData(["commands", projectId], saved);
  };
  const saving = useMutation({
    mutationFn: (checks: CheckInput[] | null) => editChecks(projectId, checks),
    onSuccess: (saved, checks) => {
      keep(saved);
      toast.done(checks === null ? t.checks.wentBack : t.checks.saved);
    },
  });
  const preparing = useMutation({
    mutationFn: (checks: CheckInput[] | null) =>
      checks === null
        ? client.fetchQuery({ ...commandsQuery(projectId), staleTime: 0 })
        : editChecks(projectId, checks),
    onSuccess: (saved) => {
      keep(saved);
      setShown(saved);
    },
  });
  const broken = commands.problems.length > 0;
  const error = saving.error ?? preparing.error;
  return (
    <>
      {!broken && <Origin commands={commands} />}
      {broken && (
        <div role="alert" className="mb-3 flex items-start gap-2.5 rounded-lg bg-bad-soft px-3 py-2.5">
          <OctagonAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          <p>
            <strong className="font-semibold text-bad">{t.checks.broken}</strong>{" "}
            {say(t.checks.brokenLead, { count: commands.problems.length })}
          </p>
        </div>
      )}
      {!broken && <AcceptedChecks projectId={projectId} />}
      {!broken && commands.origin === "agent.yaml" && <Listed checks={commands.checks} />}
      {!broken && commands.origin !== "agent.yaml" && (
        <ChecksForm
          key={JSON.stringify(commands.checks)}
          commands={commands}
          busy={saving.isPending || preparing.isPending}
          onSave={saving.mutate}
          onSaveAs={preparing.mutate}
        />
      )}
      {error && (
        <div className="mb-4">
          <Failure error={error} />
        </div>
      )}
      {(broken || commands.text !== null) && <YamlFile projectId={projectId} commands={commands} />}
      <Notes notes={commands.notes} />
      {shown && <SaveDialog projectId={projectId} commands={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** What the tasks of a project are verified with: where it comes from, and the means to change it. */
export function ChecksPage({ projectId }: { projectId: string }) {
  const commands = useQuery({ ...commandsQuery(projectId), refetchOnWindowFocus: "always" });
  const projects = useQuery(projectsQuery);
  const name = projects.data?.items.find((project) => project.id === projectId)?.name;
  return (
    <Page title={name ? say(t.checks.titleOf, { project: name }) : t.checks.title} lead={t.checks.lead}>
      <Link
        to="/projects"
        className="-mt-2 mb-3 inline-flex items-center gap-1.5 text-[13px] text-muted hover:text-accent hover:underline"
      >
        <ArrowLeft size={14} aria-hidden />
        {t.checks.back}
      </Link>
      <Missing query={commands}>
        <SkeletonRows rows={3} className="h-20" />
      </Missing>
      {commands.data && <Body projectId={projectId} commands={commands.data} />}
    </Page>
  );
}
