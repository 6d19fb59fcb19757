import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { acceptChecks } from "@/api/actions";
import { pinQuery } from "@/api/queries";
import type { Pin } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { listed } from "@/shared/lib/numbers";
import { Button } from "@/shared/ui/button";
import { ReasonDialog } from "@/shared/ui/reason-dialog";
import { Ago } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";

function toneOf(line: string): string {
  if (line.startsWith("+")) return "text-ok";
  if (line.startsWith("-")) return "text-bad";
  return "text-muted";
}

function Difference({ path, diff }: { path: string; diff: string }) {
  return (
    <details className="rounded-md border border-line bg-bg">
      <summary
        aria-label={say(t.checks.pin.showDiff, { what: path })}
        className="cursor-pointer px-3 py-1.5 font-mono text-[12.5px] [overflow-wrap:anywhere]"
      >
        {path}
      </summary>
      <pre className="overflow-x-auto border-t border-line px-3 py-2 font-mono text-[12.5px]">
        {diff.split("\n").map((line, index) => (
          <span key={index} className={`block min-h-4 ${toneOf(line)}`}>
            {line}
          </span>
        ))}
      </pre>
    </details>
  );
}

function AcceptDialog({ projectId, pin, onClose }: { projectId: string; pin: Pin; onClose: () => void }) {
  const client = useQueryClient();
  const accepting = useAction<Pin, string>(["commands"], {
    mutationFn: (reason) => acceptChecks(projectId, reason, pin.seen),
    onSuccess: (now) => {
      client.setQueryData(pinQuery(projectId).queryKey, now);
      toast.done(t.checks.pin.accepted);
      onClose();
    },
  });
  return (
    <ReasonDialog
      title={t.checks.pin.acceptTitle}
      description={t.checks.pin.acceptLead}
      label={t.checks.pin.acceptDo}
      busy={accepting.isPending}
      onReason={accepting.mutate}
      onClose={onClose}
    />
  );
}

function Pinned({ pinned }: { pinned: NonNullable<Pin["pinned"]> }) {
  return (
    <>
      <p className="text-muted">
        {t.checks.pin.since} <Ago at={pinned.at} />
        {pinned.reason && `: ${pinned.reason}`}
      </p>
      {pinned.files.length > 0 && (
        <p className="text-[13px] text-muted">
          {say(t.checks.pin.files, { count: pinned.files.length })}{" "}
          <span className="font-mono text-[12.5px] [overflow-wrap:anywhere]">{listed(pinned.files)}</span>
        </p>
      )}
    </>
  );
}

/** Which checks a person takes for granted, how the present ones differ from them, and the way to accept these. */
export function AcceptedChecks({ projectId }: { projectId: string }) {
  const pin = useQuery({ ...pinQuery(projectId), refetchOnWindowFocus: "always" });
  const [shown, setShown] = useState<Pin | null>(null);
  if (!pin.data) return null;
  const { pinned, differences } = pin.data;
  const differs = differences.length > 0;
  const Icon = differs ? ShieldAlert : ShieldCheck;
  return (
    <section
      aria-label={t.checks.pin.title}
      className={`mb-4 flex items-start gap-2.5 rounded-lg border px-3 py-2.5 ${differs ? "border-warn-line bg-warn-soft" : "border-line bg-panel"}`}
    >
      <Icon
        size={16}
        aria-hidden
        className={`mt-0.5 shrink-0 ${differs ? "text-warn" : pinned ? "text-ok" : "text-muted"}`}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <h2 className={`font-medium ${differs ? "text-warn" : ""}`}>
          {differs ? t.checks.pin.differs : pinned ? t.checks.pin.same : t.checks.pin.title}
        </h2>
        {!pinned && <p className="text-muted">{t.checks.pin.none}</p>}
        {pinned && <Pinned pinned={pinned} />}
        {differs && (
          <>
            <p>{t.checks.pin.differsLead}</p>
            {differences.map(({ path, diff }) => (
              <Difference key={path ?? ""} path={path ?? t.checks.pin.commands} diff={diff} />
            ))}
            <Button size="sm" className="self-start" onClick={() => setShown(pin.data)}>
              {t.checks.pin.accept}
            </Button>
          </>
        )}
      </div>
      {shown && <AcceptDialog projectId={projectId} pin={shown} onClose={() => setShown(null)} />}
    </section>
  );
}
