import { ShieldQuestionMark } from "lucide-react";
import { useId, useState } from "react";
import { permit } from "@/api/actions";
import type { Permission, PermissionChoice, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { TextBox } from "@/shared/ui/text-box";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { PermissionDetails, partsOf } from "./permission-details";

const NAME_LIMIT = 120;

/** What “always” would allow; one long command and nothing else need not be said twice. */
function nameOf(permission: Permission): string {
  const name = permission.grant || permission.tool;
  const { command } = partsOf(permission);
  return name.length > NAME_LIMIT && command !== null && name === `${permission.tool}(${command})`
    ? t.permission.exactly
    : name;
}

interface ChoicesProps {
  permission: Permission;
  busy: boolean;
  /** Whether the person comes back from denying. */
  back: boolean;
  decide: (choice: PermissionChoice) => void;
  refuse: () => void;
}

function Choices({ permission, busy, back, decide, refuse }: ChoicesProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2 max-sm:flex-col">
        <Button look="primary" size="lg" disabled={busy} onClick={() => decide("once")}>
          {t.choice.once}
        </Button>
        <Button size="lg" disabled={busy} onClick={() => decide("session")}>
          {t.choice.session}
        </Button>
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- back to where the person came from */}
        <Button look="danger" size="lg" autoFocus={back} disabled={busy} onClick={refuse}>
          {t.choice.deny}
        </Button>
      </div>
      <p className="text-[13px] text-muted [overflow-wrap:anywhere]">
        {say(t.permission.sessionHint, { grant: nameOf(permission) })}
      </p>
    </div>
  );
}

/** A tool the agent may not use yet: what it would do, and the three ways to decide. */
export function PermissionCard({ task }: { task: Task }) {
  const key = draftKeys.reply(task.task_id);
  const [reason, setReason] = useDraft(key);
  const [kept] = useState(reason.trim() !== "");
  const [refuses, setRefuses] = useState(kept);
  const [back, setBack] = useState(false);
  const goBack = () => {
    setRefuses(false);
    setBack(true);
  };
  const id = useId();
  const deciding = useAction(["tasks"], {
    mutationFn: (choice: PermissionChoice) =>
      permit(task, choice, choice === "deny" ? reason.trim() : "", t.choice[choice], { key, text: reason }),
    onSuccess: (sent, choice) => {
      setReason("");
      toast.done(sent.queued ? say(t.connection.queued, { label: t.choice[choice] }) : t.permission.decided[choice]);
    },
  });
  const { permission } = task;
  if (!permission) return <Skeleton className="h-32" />;
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-3">
      <div className="flex items-start gap-2.5">
        <ShieldQuestionMark size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        <div className="min-w-0">
          <h3 id={`${id}-title`} className="font-semibold [overflow-wrap:anywhere]">
            {say(t.wants_tool, { tool: permission.tool })}
          </h3>
          <p className="text-[13px] text-muted">{t.permission.lead}</p>
        </div>
      </div>
      <PermissionDetails permission={permission} />
      {!refuses && (
        <Choices
          permission={permission}
          busy={deciding.isPending}
          back={back}
          decide={deciding.mutate}
          refuse={() => setRefuses(true)}
        />
      )}
      {refuses && (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            deciding.mutate("deny");
          }}
        >
          <label htmlFor={`${id}-reason`} className="text-[13px] font-medium">
            {t.permission.reason}
          </label>
          <div className="rounded-lg border border-line-strong bg-panel focus-within:border-accent">
            <TextBox
              id={`${id}-reason`}
              // eslint-disable-next-line jsx-a11y/no-autofocus -- just asked for, unless it is back after a reload
              autoFocus={!kept}
              value={reason}
              onText={setReason}
              onSend={() => deciding.mutate("deny")}
              onEscape={goBack}
              placeholder={t.permission.reasonPlaceholder}
              limit={160}
              className="min-h-10 px-3 py-2.5"
            />
          </div>
          <div className="flex gap-2">
            <Button type="submit" look="danger" disabled={deciding.isPending}>
              {reason.trim() === "" ? t.choice.deny : t.permission.denyDo}
            </Button>
            <Button disabled={deciding.isPending} onClick={goBack}>
              {t.permission.back}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
