interface Props<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string; disabled?: boolean }[];
  onChange: (value: T) => void;
  className?: string;
}

/** The platform's own select: it is the best one on a phone and works with every keyboard. */
export function Select<T extends string>({ label, value, options, onChange, className = "" }: Props<T>) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value);
        if (chosen) onChange(chosen.value);
      }}
      className={`h-8 max-w-full min-w-0 cursor-pointer rounded-md border border-line-strong bg-panel px-2 text-text hover:bg-raised ${className}`}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled ?? false}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
