import { useQuery } from "@tanstack/react-query";
import { revokeGrant } from "@/api/actions";
import { grantsQuery } from "@/api/queries";
import type { Grant, Session } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";

/** What the person allowed for the rest of a session; each can be taken away again. */
export function GrantsDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const grants = useQuery(grantsQuery(session.project_id, session.slug));
  const revoking = useAction(["grants"], {
    mutationFn: (grant: Grant) => revokeGrant(session.project_id, session.slug, grant.id),
    onSuccess: (_, grant) => toast.done(say(t.grants.revoked, { name: grant.name })),
  });
  return (
    <Dialog onClose={onClose} title={t.grants.title} description={t.grants.lead}>
      <Missing query={grants}>
        <SkeletonRows rows={2} className="h-10" />
      </Missing>
      {grants.data?.items.length === 0 && <p className="text-muted">{t.grants.none}</p>}
      <ul className="flex flex-col gap-2">
        {grants.data?.items.map((grant) => (
          <li key={grant.id} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="line-clamp-4 font-mono text-[13px] [overflow-wrap:anywhere]" title={grant.name}>
                {grant.name}
              </p>
              <p className="line-clamp-2 text-[12px] text-muted [overflow-wrap:anywhere]">
                {t.grants.given} <Ago at={grant.granted_at} />: {grant.detail || grant.tool}
              </p>
            </div>
            <Button
              size="sm"
              aria-label={say(t.grants.revokeLabel, { name: grant.name })}
              disabled={revoking.isPending}
              onClick={() => revoking.mutate(grant)}
            >
              {t.grants.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
