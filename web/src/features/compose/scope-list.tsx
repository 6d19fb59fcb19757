import { Plus, X } from "lucide-react";
import { useState } from "react";
import { t } from "@/shared/i18n/t";
import { sends } from "@/shared/lib/keys";
import { IconButton } from "@/shared/ui/button";

interface Props {
  label: string;
  hint: string;
  items: string[];
  onChange: (items: string[]) => void;
}

export function ScopeList({ label, hint, items, onChange }: Props) {
  const [text, setText] = useState("");
  const add = () => {
    const line = text.trim();
    if (line === "") return;
    if (!items.includes(line)) onChange([...items, line]);
    setText("");
  };
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{label}</legend>
      <ul className="mt-1 flex flex-col gap-1">
        {items.map((item) => (
          <li key={item} className="flex items-center gap-1 rounded-md bg-raised pl-2 text-[13px]">
            <span className="min-w-0 flex-1 py-1">{item}</span>
            <IconButton
              label={t.compose.removeLine(item)}
              className="h-7"
              onClick={() => {
                onChange(items.filter((other) => other !== item));
              }}
            >
              <X size={13} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="mt-1 flex items-center gap-1">
        <input
          aria-label={`${label}: ${hint}`}
          placeholder={hint}
          value={text}
          maxLength={500}
          onChange={(event) => {
            setText(event.target.value);
          }}
          onBlur={add}
          onKeyDown={(event) => {
            if (!sends(event)) return;
            event.preventDefault();
            add();
          }}
          className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-panel px-2 text-[13px]"
        />
        <IconButton label={`${t.compose.addLine}: ${label}`} onClick={add}>
          <Plus size={15} aria-hidden />
        </IconButton>
      </div>
    </fieldset>
  );
}
