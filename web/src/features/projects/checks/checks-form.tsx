import { FileDown, Plus, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { CheckInput, Commands } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { CheckEditor } from "./check-editor";
import { draftOf, emptyDraft, faultsOf, inputOf, isSame, moved, type Draft } from "./draft";

interface Props {
  commands: Commands;
  busy: boolean;
  onSave: (checks: CheckInput[] | null) => void;
  /** With the checks to save first; null where nothing was edited. */
  onSaveAs: (checks: CheckInput[] | null) => void;
}

/** The checks of a project whose agent.yaml names none: a person may change them here. */
export function ChecksForm({ commands, busy, onSave, onSaveAs }: Props) {
  const [drafts, setDrafts] = useState<Draft[]>(() => commands.checks.map(draftOf));
  const [asked, setAsked] = useState(false);
  const edited = !isSame(drafts, commands.checks);
  const faults = drafts.map((draft) => faultsOf(draft, drafts));
  const sound = faults.every((each) => Object.keys(each).length === 0);
  const change = (draft: Draft) => setDrafts(drafts.map((other) => (other.key === draft.key ? draft : other)));
  const reset = () => {
    setDrafts(commands.checks.map(draftOf));
    setAsked(false);
  };
  const whenSound = (act: () => void) => {
    setAsked(true);
    if (sound) act();
  };
  return (
    <section className="card mb-4" aria-label={t.checks.title}>
      {drafts.length === 0 ? (
        <p className="px-4 py-4 text-warn">{t.checks.none}</p>
      ) : (
        <ol aria-label={t.checks.list} className="divide-y divide-line">
          {drafts.map((draft, index) => (
            <CheckEditor
              key={draft.key}
              draft={draft}
              number={index + 1}
              last={index === drafts.length - 1}
              faults={asked ? (faults[index] ?? {}) : {}}
              onChange={change}
              onMove={(by) => setDrafts(moved(drafts, index, index + by))}
              onRemove={() => setDrafts(drafts.filter((other) => other.key !== draft.key))}
            />
          ))}
        </ol>
      )}
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
        <Button size="sm" icon={<Plus size={14} aria-hidden />} onClick={() => setDrafts([...drafts, emptyDraft()])}>
          {t.checks.add}
        </Button>
        {commands.origin === "edited" && (
          <Button
            size="sm"
            look="quiet"
            disabled={busy}
            icon={<RotateCcw size={14} aria-hidden />}
            onClick={() => onSave(null)}
          >
            {t.checks.toDetected}
          </Button>
        )}
        <span className="ml-auto flex flex-wrap gap-2">
          {edited && (
            <Button size="sm" look="quiet" disabled={busy} onClick={reset}>
              {t.checks.discardEdits}
            </Button>
          )}
          <Button
            size="sm"
            disabled={busy}
            icon={<FileDown size={14} aria-hidden />}
            title={edited ? t.checks.saveAsFirst : undefined}
            onClick={() => whenSound(() => onSaveAs(edited ? drafts.map(inputOf) : null))}
          >
            {t.checks.saveAs}
          </Button>
          <Button
            size="sm"
            look="primary"
            disabled={busy || !edited}
            onClick={() => whenSound(() => onSave(drafts.map(inputOf)))}
          >
            {busy ? t.checks.saving : t.checks.save}
          </Button>
        </span>
      </footer>
    </section>
  );
}
