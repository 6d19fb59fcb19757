import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useId } from "react";
import { say, t } from "@/shared/i18n/t";
import { IconButton } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { isArgv, type Draft, type Faults, type Field } from "./draft";

interface InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  fault?: string | undefined;
  hint?: string;
  mono?: boolean;
  className?: string;
}

function Input({ label, value, onChange, fault, hint = "", mono = false, className = "" }: InputProps) {
  const id = useId();
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className="text-[12px] text-muted">
        {label}
      </label>
      <input
        id={id}
        value={value}
        placeholder={hint}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        className={`h-8 w-full rounded-md border bg-panel px-2 ${mono ? "font-mono text-[12.5px]" : ""} ${fault ? "border-bad" : "border-line-strong"}`}
      />
      {fault && (
        <p id={`${id}-fault`} className="text-[12px] text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}

interface Props {
  draft: Draft;
  number: number;
  last: boolean;
  faults: Faults;
  onChange: (draft: Draft) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function origin(draft: Draft): string {
  const where = draft.source ? say(t.checks.foundIn, { source: draft.source }) : t.checks.byHand;
  return isArgv(draft) ? `${where} · ${t.checks.commandList}` : where;
}

export function CheckEditor({ draft, number, last, faults, onChange, onMove, onRemove }: Props) {
  const fault = (field: Field) => faults[field];
  const name = draft.name || t.checks.unnamed;
  return (
    <li aria-label={draft.name || say(t.checks.number, { n: number })} className="flex gap-3 px-4 py-3">
      <span aria-hidden className="w-5 shrink-0 pt-6 text-right text-muted tabular-nums">
        {number}
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-2 gap-x-3 gap-y-1.5 sm:grid-cols-[9rem_1fr_5.5rem_8rem]">
        <Input
          label={t.checks.name}
          value={draft.name}
          fault={fault("name")}
          onChange={(name) => onChange({ ...draft, name })}
          className="max-sm:col-span-2"
        />
        <Input
          label={t.checks.command}
          value={draft.command}
          fault={fault("command")}
          hint={t.checks.commandHint}
          mono
          onChange={(command) => onChange({ ...draft, command })}
          className="max-sm:col-span-2"
        />
        <Input
          label={t.checks.timeout}
          value={draft.timeout}
          fault={fault("timeout")}
          hint={t.checks.timeoutHint}
          onChange={(timeout) => onChange({ ...draft, timeout })}
        />
        <Input
          label={t.checks.folder}
          value={draft.folder}
          hint={t.checks.folderHint}
          mono
          onChange={(folder) => onChange({ ...draft, folder })}
        />
        <p className="col-span-full text-[12px] text-faint">
          <InlineCode text={origin(draft)} />
        </p>
      </div>
      <div className="flex shrink-0 pt-5 max-sm:flex-col max-sm:pt-0">
        <IconButton label={say(t.checks.up, { name })} disabled={number === 1} onClick={() => onMove(-1)}>
          <ArrowUp size={15} aria-hidden />
        </IconButton>
        <IconButton label={say(t.checks.down, { name })} disabled={last} onClick={() => onMove(1)}>
          <ArrowDown size={15} aria-hidden />
        </IconButton>
        <IconButton label={say(t.checks.remove, { name })} onClick={onRemove}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}
