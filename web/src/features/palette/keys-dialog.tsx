import { t } from "@/shared/i18n/t";
import { Dialog } from "@/shared/ui/dialog";

const KEYS: { label: string; keys: string[]; join: string }[] = [
  { label: t.keys.palette, keys: ["/", "Ctrl K"], join: t.keys.or },
  { label: t.keys.newChat, keys: ["n"], join: "" },
  { label: t.keys.compose, keys: ["c"], join: "" },
  { label: t.keys.home, keys: ["g", "s"], join: t.keys.then },
  { label: t.keys.inbox, keys: ["g", "i"], join: t.keys.then },
  { label: t.keys.queue, keys: ["g", "q"], join: t.keys.then },
  { label: t.keys.projects, keys: ["g", "p"], join: t.keys.then },
  { label: t.keys.runner, keys: ["g", "r"], join: t.keys.then },
  { label: t.keys.usage, keys: ["g", "u"], join: t.keys.then },
  { label: t.keys.send, keys: ["Enter"], join: "" },
  { label: t.keys.newline, keys: ["Shift Enter"], join: "" },
  { label: t.keys.escape, keys: ["Esc"], join: "" },
  { label: t.keys.help, keys: ["?"], join: "" },
];

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={t.keys.title}>
      <dl className="grid gap-y-1.5">
        {KEYS.map((row) => (
          <div key={row.label} className="flex items-center justify-between gap-4">
            <dt>{row.label}</dt>
            <dd className="flex items-center gap-1.5 text-[13px] text-muted">
              {row.keys.map((key, index) => (
                <span key={key} className="flex items-center gap-1.5">
                  {index > 0 && row.join}
                  <kbd className="min-w-6 rounded border border-line-strong bg-raised px-1.5 text-center font-mono text-[12px] text-text">
                    {key}
                  </kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
