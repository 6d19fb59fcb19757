import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Eraser } from "lucide-react";
import { cleanUp } from "@/api/actions";
import { storageQuery } from "@/api/queries";
import { say, t } from "@/shared/i18n/t";
import { bytes } from "@/shared/lib/numbers";
import { Button } from "@/shared/ui/button";
import { Missing } from "@/shared/ui/missing";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";

/** What a project's checkpoints take on disk, and a way to let the old ones go at once. */
export function Storage({ projectId }: { projectId: string }) {
  const storage = useQuery(storageQuery(projectId));
  const client = useQueryClient();
  const cleaning = useMutation({
    mutationFn: () => cleanUp(projectId),
    onSuccess: ({ forgotten, ...left }) => {
      client.setQueryData(["storage", projectId], left);
      toast.done(forgotten === 0 ? t.storage.cleanedNone : say(t.storage.cleaned, { count: forgotten }));
    },
    onError: toast.error,
  });
  if (!storage.data)
    return (
      <Missing query={storage}>
        <Skeleton className="h-14" />
      </Missing>
    );
  const { checkpoints, bytes: size } = storage.data;
  return (
    <section
      aria-label={t.storage.title}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-raised px-3 py-2.5"
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">
          {checkpoints === 0 ? t.storage.keptNone : say(t.storage.kept, { count: checkpoints, size: bytes(size) })}
        </p>
        <p className="text-[13px] text-muted">{say(t.storage.lead, { count: storage.data.retention_days })}</p>
      </div>
      <Button
        size="sm"
        disabled={cleaning.isPending || storage.data.checkpoints === 0}
        icon={<Eraser size={14} aria-hidden />}
        onClick={() => cleaning.mutate()}
      >
        {cleaning.isPending ? t.storage.cleaning : t.storage.cleanUp}
      </Button>
    </section>
  );
}
