import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { undoRollback } from "@/api/actions";
import { mergeOf } from "@/api/errors";
import { undoPreviewQuery } from "@/api/queries";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Missing } from "@/shared/ui/missing";
import { Skeleton } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { WayShown } from "./way-shown";

interface Props {
  taskId: string;
  rollbackId: string;
  onClose: () => void;
}

/** Shows what an undo would change, and does it. What was done since stays, unless the person wants all as it was. */
export function UndoDialog({ taskId, rollbackId, onClose }: Props) {
  const [exact, setExact] = useState(false);
  const preview = useQuery(undoPreviewQuery(taskId, rollbackId, exact));
  const undoing = useAction(["tasks", "ways-back", "rollback-preview"], {
    mutationFn: () => undoRollback(taskId, rollbackId, preview.data?.merge ?? null, exact),
    onSuccess: () => {
      onClose();
      toast.done(t.changes.undone);
    },
    // The files changed once more: the preview is asked for again, and shows that.
    onError: (error) => {
      if (!mergeOf(error)) toast.error(error);
    },
  });
  const way = preview.data;
  const blocked = (way?.clashes.length ?? 0) > 0;
  return (
    <Dialog
      onClose={onClose}
      title={t.ways.undoTitle}
      description={exact ? t.ways.exactLead : t.ways.undoLead}
      action={{
        label: undoing.isPending ? t.changes.undoing : t.changes.undo,
        look: "primary",
        disabled: undoing.isPending || !way || blocked,
        run: undoing.mutate,
      }}
    >
      <Missing query={preview}>
        <Skeleton className="h-24" />
      </Missing>
      {way && <WayShown way={way} empty={t.ways.undoEmpty} total={say(t.ways.changes, { count: way.files_changed })} />}
      {way && !exact && way.how === "over" && (
        <Button size="sm" className="mt-3" onClick={() => setExact(true)}>
          {t.ways.exact}
        </Button>
      )}
    </Dialog>
  );
}
