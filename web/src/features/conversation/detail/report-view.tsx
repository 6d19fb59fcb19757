import { useQuery } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import type { ReactNode } from "react";
import { stuckReportQuery } from "@/api/queries";
import type { StuckReport, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { copyText } from "@/shared/lib/clipboard";
import { plain } from "@/shared/log/ansi";
import { Button } from "@/shared/ui/button";
import { Markdown } from "@/shared/ui/markdown";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";
import { PartLink, RunLink } from "../part-link";
import { StartFromReport } from "../stuck-notice";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function download(report: StuckReport): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([report.markdown], { type: "text/markdown" }));
  link.download = `stuck-report-${report.task_id.slice(0, 8)}.md`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Actions({ task, report }: { task: Task; report: StuckReport }) {
  const copy = async () => {
    if (await copyText(report.markdown)) toast.done(t.report.copied);
    else toast.problem(t.common.copyFailed);
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      <StartFromReport task={task} main />
      <Button size="sm" icon={<Copy size={14} aria-hidden />} onClick={() => void copy()}>
        {t.report.copy}
      </Button>
      <Button size="sm" icon={<Download size={14} aria-hidden />} onClick={() => download(report)}>
        {t.report.download}
      </Button>
    </div>
  );
}

function History({ task, report }: { task: Task; report: StuckReport }) {
  return (
    <ol className="rounded-md border border-line">
      {report.runs.map((run) => (
        <li
          key={run.run_id}
          className="grid grid-cols-[1.75rem_1fr_auto] items-baseline gap-x-2 border-b border-line px-2.5 py-1.5 last:border-0"
        >
          <span className="text-right text-[13px] text-muted" title={t.report.loop}>
            {run.loop}
          </span>
          <span className="min-w-0">
            <span className="font-medium">{run.check}</span>
            <span className="block font-mono text-[12.5px] text-muted [overflow-wrap:anywhere]">
              {plain(run.first_failing_line)}
            </span>
          </span>
          <RunLink task={task} runId={run.run_id} />
        </li>
      ))}
    </ol>
  );
}

/** What is known when the loops are used up: to be read, kept, and started from. */
export function ReportView({ task }: { task: Task }) {
  const found = useQuery(stuckReportQuery(task.task_id));
  if (!found.data)
    return (
      <Missing query={found} className="p-4">
        <SkeletonRows rows={5} className="h-9" />
      </Missing>
    );
  const report = found.data;
  return (
    <article
      tabIndex={0}
      aria-label={t.report.title}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <div className="mx-auto flex max-w-2xl flex-col gap-5 px-4 py-4">
        <header className="flex flex-col gap-2">
          <div>
            <h2 className="text-base font-semibold">{t.report.title}</h2>
            <p className="text-muted">
              {say(t.report.lead, { count: report.runs.length })} <Ago at={report.created_at} />
            </p>
          </div>
          <Actions task={task} report={report} />
        </header>
        <Section title={t.report.request}>
          <p className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {report.request}
          </p>
        </Section>
        {report.reason && <p className="text-warn">{report.reason}</p>}
        {(["constraints", "non_goals", "boundaries"] as const).map(
          (name) =>
            report[name].length > 0 && (
              <Section key={name} title={t.report[name]}>
                <ul className="list-disc pl-5">
                  {report[name].map((text) => (
                    <li key={text} className="[overflow-wrap:anywhere]">
                      {text}
                    </li>
                  ))}
                </ul>
              </Section>
            ),
        )}
        <Section title={t.report.hypotheses}>
          {report.hypotheses.length === 0 ? (
            <p className="text-muted">{t.report.noHypotheses}</p>
          ) : (
            <ol className="list-decimal pl-5">
              {report.hypotheses.map((text) => (
                <li key={text} className="[overflow-wrap:anywhere]">
                  {text}
                </li>
              ))}
            </ol>
          )}
        </Section>
        {report.account.trim() && (
          <Section title={t.report.account}>
            <Markdown text={report.account} />
          </Section>
        )}
        <Section title={t.report.history}>
          <History task={task} report={report} />
        </Section>
        <Section title={t.report.files}>
          {report.files.length === 0 ? (
            <p className="text-muted">{t.report.noFiles}</p>
          ) : (
            <ul>
              {report.files.map((path) => (
                <li key={path}>
                  <PartLink
                    task={task}
                    open={{ view: "diff", file: path }}
                    className="font-mono text-[12.5px] text-accent [overflow-wrap:anywhere] hover:underline"
                  >
                    {path}
                  </PartLink>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
    </article>
  );
}
