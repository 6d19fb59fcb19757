interface Props<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** Two or three choices side by side. */
export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <div role="group" aria-label={label} className="inline-flex rounded-md border border-line bg-raised p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={`h-6 rounded px-2.5 text-[13px] font-medium ${option.value === value ? "bg-panel text-text shadow-sm" : "text-muted hover:text-text"}`}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
