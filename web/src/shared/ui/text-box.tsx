import { useLayoutEffect, useRef, type TextareaHTMLAttributes } from "react";
import { sends } from "@/shared/lib/keys";

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> {
  value: string;
  onText: (text: string) => void;
  onSend: () => void;
  onEscape?: () => void;
  /** Pixels it may grow to before it scrolls. */
  limit?: number;
}

/** A text box that grows with its text to a limit, then scrolls. Enter sends, Shift+Enter breaks the line. */
export function TextBox({ value, onText, onSend, onEscape, limit = 240, className = "", placeholder, ...rest }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.overflowY = "hidden";
    area.style.height = `${Math.min(area.scrollHeight, limit)}px`;
    if (area.scrollHeight > limit) area.style.overflowY = "auto";
  }, [value, limit, placeholder]);
  return (
    <textarea
      ref={box}
      value={value}
      rows={1}
      placeholder={placeholder}
      className={`block w-full resize-none bg-transparent outline-none ${className}`}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        const leaves = onEscape && event.key === "Escape" && !event.nativeEvent.isComposing;
        if (!leaves && !sends(event)) return;
        event.preventDefault();
        if (leaves) onEscape();
        else onSend();
      }}
      {...rest}
    />
  );
}
