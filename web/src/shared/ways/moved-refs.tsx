import { useQuery } from "@tanstack/react-query";
import { bringBack } from "@/api/actions";
import { rollbackPreviewQuery } from "@/api/queries";
import type { Moved } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { Button } from "@/shared/ui/button";
import { toast } from "@/shared/ui/toast";

const short = (id: string) => id.slice(0, 7);
const whatOf = ({ kind, name }: Moved) => say(t.ways.movedKind[kind], { name });

/** Branches, tags and stashes that were moved or dropped since the task began, each with its own way back. */
export function MovedRefs({ taskId, moved }: { taskId: string; moved: Moved[] }) {
  const bringing = useAction<unknown, Moved>(["rollback-preview", "task", "changes"], {
    mutationFn: (one) => bringBack(taskId, one),
    onSuccess: (_, one) => {
      toast.done(say(t.ways.broughtBack, { what: whatOf(one) }));
    },
  });
  if (moved.length === 0) return null;
  return (
    <section className="mt-3 text-[13px]">
      <p className="text-muted">{t.ways.moved}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {moved.map((one) => (
          <li key={`${one.kind} ${one.name} ${one.then}`} className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {whatOf(one)}{" "}
              <span className="text-muted">
                {one.now === null
                  ? say(t.ways.movedGone, { then: short(one.then) })
                  : say(t.ways.movedNow, { then: short(one.then), now: short(one.now) })}
              </span>
            </span>
            <Button
              size="sm"
              aria-label={say(t.ways.bringBackNamed, { what: whatOf(one) })}
              disabled={bringing.isPending}
              onClick={() => bringing.mutate(one)}
            >
              {t.ways.bringBack}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same where no rollback is at hand: after one, or for a task that changed no file. */
export function MovedSince({ taskId }: { taskId: string }) {
  const preview = useQuery(rollbackPreviewQuery(taskId));
  if (!preview.data || preview.data.moved.length === 0) return null;
  return (
    <div className="max-h-40 shrink-0 overflow-y-auto px-3 pb-2">
      <MovedRefs taskId={taskId} moved={preview.data.moved} />
    </div>
  );
}
