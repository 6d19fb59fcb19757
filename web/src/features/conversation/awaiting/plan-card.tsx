import { Check } from "lucide-react";
import { answerForm } from "@/api/actions";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { Button } from "@/shared/ui/button";
import { Markdown } from "@/shared/ui/markdown";
import { toast } from "@/shared/ui/toast";

/** The agent's plan, rendered: approve it here, or send it back with a reply. */
export function PlanCard({ task, plan }: { task: Task; plan: string }) {
  const question = task.form[0];
  const approving = useAction(["tasks"], {
    mutationFn: (question_id: string) => answerForm(task, [{ question_id, value: "approve" }], t.plan.action),
    onSuccess: (sent) => toast.done(sent.queued ? say(t.connection.queued, { label: t.plan.action }) : t.plan.approved),
  });
  return (
    <section aria-label={t.plan.label} className="flex flex-col gap-3">
      <p className="text-[13px] text-muted">{t.plan.lead}</p>
      <div
        role="region"
        tabIndex={0}
        aria-label={t.plan.text}
        className="max-h-[60dvh] overflow-y-auto rounded-lg border border-line bg-bg px-4 py-3"
      >
        <Markdown text={plan} />
      </div>
      <div>
        <Button
          look="primary"
          size="lg"
          disabled={!question || approving.isPending}
          icon={<Check size={15} aria-hidden />}
          onClick={() => {
            if (question) approving.mutate(question.id);
          }}
        >
          {t.plan.approve}
        </Button>
      </div>
    </section>
  );
}
