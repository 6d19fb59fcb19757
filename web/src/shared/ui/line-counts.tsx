import { say, t } from "@/shared/i18n/t";
import { count } from "@/shared/lib/numbers";

/** "+12 −3", aligned and spoken in words. */
export function LineCounts({ insertions, deletions }: { insertions: number | null; deletions: number | null }) {
  if (insertions === null || deletions === null) return <span className="text-faint">{t.diff.binary}</span>;
  return (
    <span
      className="font-mono text-[12px] whitespace-nowrap"
      role="img"
      aria-label={say(t.diff.lines, {
        added: say(t.diff.added, { count: insertions }),
        removed: say(t.diff.removed, { count: deletions }),
      })}
    >
      <span className="text-ok">+{count(insertions)}</span> <span className="text-bad">−{count(deletions)}</span>
    </span>
  );
}
