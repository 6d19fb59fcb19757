import { useId } from "react";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  placeholder?: string;
  fault?: string | null;
  /** What is offered; anything else can be written too. */
  choices?: string[];
  mono?: boolean;
  hideLabel?: boolean;
  className?: string;
}

export function TextField({
  label,
  value,
  onChange,
  hint = "",
  placeholder = "",
  fault = null,
  choices = [],
  mono = false,
  hideLabel = false,
  className = "",
}: Props) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", fault !== null ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-[13px] font-medium"}>
        {label}
      </label>
      <input
        id={id}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        {...(choices.length > 0 ? { list: `${id}-choices` } : {})}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={fault !== null}
        aria-describedby={described || undefined}
        className={`${hideLabel ? "" : "mt-1"} h-8 w-full rounded-md border bg-panel px-2 ${mono ? "font-mono text-[12.5px]" : ""} ${fault !== null ? "border-bad" : "border-line-strong"}`}
      />
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {fault !== null && (
        <p id={`${id}-fault`} className="text-[12px] text-bad">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-0.5 text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
