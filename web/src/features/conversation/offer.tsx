import { Lightbulb } from "lucide-react";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { draftKeys, returnToDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { Markdown } from "@/shared/ui/markdown";

/** What the agent could do next. Nothing waits for it: one click makes it the draft of the next message. */
export function Offer({ task }: { task: Task }) {
  if (task.status !== "COMPLETE" || task.offer === "") return null;
  const use = () => {
    const draft = draftKeys.session(task.project_id, task.session_slug);
    returnToDraft(draft, say(t.offer.draft, { offer: task.offer }));
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  return (
    <section
      aria-label={t.offer.title}
      className="flex flex-wrap items-start gap-x-2.5 gap-y-2 rounded-lg border border-line bg-bg px-3 py-2.5"
    >
      <Lightbulb size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="text-[13px] font-semibold text-muted">{t.offer.title}</h3>
        <Markdown text={task.offer} />
      </div>
      <Button size="sm" onClick={use}>
        {t.offer.use}
      </Button>
    </section>
  );
}
