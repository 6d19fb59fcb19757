import { Archive, ArchiveRestore, Ellipsis, Pencil, ShieldCheck, Trash2, Undo2, Wallet } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { archiveSession, deleteSession, renameSession } from "@/api/actions";
import { useLive } from "@/events/live";
import type { Session } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { spentOf } from "@/shared/lib/words";
import { useAction } from "@/shared/lib/action";
import { money } from "@/shared/lib/numbers";
import { Button, IconButton } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Menu, MenuItem } from "@/shared/ui/menu";
import { toast } from "@/shared/ui/toast";
import { BudgetDialog } from "./budget-dialog";
import { GrantsDialog } from "./grants-dialog";

function RenameDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [title, setTitle] = useState(session.title);
  const renaming = useAction(["session"], {
    mutationFn: () => renameSession(session.project_id, session.slug, title.trim()),
    onSuccess: onClose,
  });
  return (
    <Dialog onClose={onClose} title={t.session.renameTitle}>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) renaming.mutate();
        }}
      >
        <input
          aria-label={t.session.renameLabel}
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-bg px-2.5"
        />
        <Button type="submit" look="primary" disabled={title.trim() === "" || renaming.isPending}>
          {t.session.save}
        </Button>
      </form>
    </Dialog>
  );
}

export function SessionHeader({ session, onGone }: { session: Session; onGone: () => void }) {
  const title = useLive((state) => state.sessions[session.id]?.title) ?? session.title;
  const limit = session.budgets?.usd ? money(session.budgets.usd) : null;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"rename" | "delete" | "grants" | "budget" | null>(null);
  const close = () => setDialog(null);
  const archiving = useAction(["session", "sessions"], {
    mutationFn: (archived: boolean) => archiveSession(session.project_id, session.slug, archived),
  });
  const deleting = useAction(["session", "sessions"], {
    mutationFn: () => deleteSession(session.project_id, session.slug),
    onSuccess: () => {
      toast.done(say(t.session.removed, { title }));
      onGone();
    },
  });
  return (
    <header className="flex min-h-12 items-center gap-3 border-b border-line bg-panel px-4 sm:px-6">
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold">{title}</h1>
        <p className="truncate text-[12px] text-muted" title={session.workspace_path}>
          {session.project_name}
          {session.branch !== null && ` · ${session.branch}`}
          {(session.cost_usd > 0 || limit !== null) && ` · ${spentOf(money(session.cost_usd), limit)}`}
          {session.archived && ` · ${t.session.archived}`}
          {" · "}
          <span className="font-mono">{session.workspace_path}</span>
        </p>
        {session.usage?.warnings.map((warning) => (
          <p key={warning} className="truncate text-[12px] text-warn" title={warning}>
            {warning}
          </p>
        ))}
      </div>
      <Menu
        trigger={
          <IconButton label={t.common.menu}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => setDialog("rename")}>
          {t.session.rename}
        </MenuItem>
        <MenuItem icon={<Wallet size={14} aria-hidden />} onSelect={() => setDialog("budget")}>
          {t.budget.session.menu}
        </MenuItem>
        <MenuItem icon={<ShieldCheck size={14} aria-hidden />} onSelect={() => setDialog("grants")}>
          {t.grants.menu}
        </MenuItem>
        <MenuItem
          icon={<Undo2 size={14} aria-hidden />}
          onSelect={() => void navigate({ to: "/ways-back", search: { project: session.project_id } })}
        >
          {t.ways.title}
        </MenuItem>
        <MenuItem
          icon={session.archived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
          onSelect={() => archiving.mutate(!session.archived)}
        >
          {session.archived ? t.session.unarchive : t.session.archive}
        </MenuItem>
        <MenuItem danger icon={<Trash2 size={14} aria-hidden />} onSelect={() => setDialog("delete")}>
          {t.session.remove}
        </MenuItem>
      </Menu>
      {dialog === "rename" && <RenameDialog session={session} onClose={close} />}
      {dialog === "budget" && <BudgetDialog session={session} onClose={close} />}
      {dialog === "grants" && <GrantsDialog session={session} onClose={close} />}
      {dialog === "delete" && (
        <Dialog
          title={t.session.removeTitle}
          action={{ label: t.session.remove, look: "danger", disabled: deleting.isPending, run: deleting.mutate }}
          onClose={close}
        >
          <p>{t.session.removeLead}</p>
        </Dialog>
      )}
    </header>
  );
}
