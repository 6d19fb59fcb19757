import { FileText, X } from "lucide-react";
import { t } from "@/shared/i18n/t";
import { IconButton } from "@/shared/ui/button";

/** That the next message starts from a stuck task's report, and the way to leave it. */
export function ReportNote({ onLeave }: { onLeave: () => void }) {
  return (
    <div className="mb-1.5 flex items-center gap-2 rounded-lg border border-line bg-panel py-0.5 pr-1 pl-3 text-[13px]">
      <FileText size={14} aria-hidden className="shrink-0 text-accent" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{t.verified.startedFrom}.</span>{" "}
        <span className="text-muted max-sm:hidden">{t.verified.startedFromHint}</span>
      </p>
      <IconButton label={t.verified.dontStartFrom} onClick={onLeave}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
