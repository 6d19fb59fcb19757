/** Whether a key belongs to something being typed in, and so is no shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

interface PressedKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  keyCode: number;
  nativeEvent: { isComposing: boolean };
}

/**
 * Enter alone sends; Shift+Enter breaks the line. While an input method composes, Enter belongs to it: `isComposing`
 * says so, except in Safari, where the key that ends the composition only carries the code 229.
 */
export function sends(event: PressedKey): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.altKey) return false;
  return !event.nativeEvent.isComposing && event.keyCode !== 229;
}
