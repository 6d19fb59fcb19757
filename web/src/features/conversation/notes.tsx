import { RotateCcw, ShieldX } from "lucide-react";
import type { Note } from "@/api/types";
import { say, t } from "@/shared/i18n/t";

/** Tools that were refused, and conversations that began anew: what a person should know about a run. */
export function Notes({ notes }: { notes: Note[] }) {
  if (notes.length === 0) return null;
  return (
    <ul
      aria-label={t.notes.label}
      className="flex flex-col gap-1 rounded-lg border border-line bg-bg px-3 py-2 text-[13px]"
    >
      {notes.map((note, index) => (
        <li key={index} className="flex items-start gap-2">
          {note.kind === "denied" ? (
            <ShieldX size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          ) : (
            <RotateCcw size={14} aria-hidden className="mt-0.5 shrink-0 text-muted" />
          )}
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {note.kind === "denied" ? say(t.notes.denied, { what: note.text }) : say(t.notes.fresh, { why: note.text })}
          </span>
        </li>
      ))}
    </ul>
  );
}
