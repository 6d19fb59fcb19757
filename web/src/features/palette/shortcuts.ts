import { useEffect } from "react";
import { isTyping } from "@/shared/lib/keys";

export interface Shortcuts {
  palette: () => void;
  help: () => void;
  newChat: () => void;
  compose: () => void;
  go: Record<string, () => void>;
}

const CHAIN_MS = 1200;

/** Keys for everything, and none of them while somebody types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    let chained = 0;
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        shortcuts.palette();
        return;
      }
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.isComposing ||
        isTyping(event.target) ||
        document.querySelector("[role=dialog]")
      )
        return;
      const second = event.timeStamp - chained < CHAIN_MS && chained > 0 ? shortcuts.go[event.key] : undefined;
      chained = 0;
      const run = second ?? single(event.key, event.timeStamp);
      if (!run) return;
      event.preventDefault();
      run();
    };
    const single = (key: string, at: number): (() => void) | undefined => {
      switch (key) {
        case "/":
          return shortcuts.palette;
        case "?":
          return shortcuts.help;
        case "n":
          return shortcuts.newChat;
        case "c":
          return shortcuts.compose;
        case "g":
          return () => {
            chained = at;
          };
        default:
          return undefined;
      }
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [shortcuts]);
}
