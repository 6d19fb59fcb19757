import icon from "@/favicon.svg";
import type { StreamNotification } from "./types";

/** What the browser lets us do: “missing” where it has none, or not on a page without TLS. */
export type Permission = "granted" | "denied" | "default" | "missing";

/** The tag of the one that a person asked for to see whether it works. */
export const TRIAL = "test";

export function permission(): Permission {
  return "Notification" in window && window.isSecureContext ? Notification.permission : "missing";
}

/** Browsers only ask when a person has pressed something. */
export async function askPermission(): Promise<Permission> {
  return permission() === "missing" ? "missing" : Notification.requestPermission();
}

function placeOf(item: StreamNotification): string {
  if (!item.project_id || !item.session_slug) return "/";
  return `/sessions/${encodeURIComponent(item.project_id)}/${encodeURIComponent(item.session_slug)}`;
}

/** Tell a person whose eyes are elsewhere; on a page in sight the events speak for themselves. */
export function announce(item: StreamNotification): void {
  if (permission() !== "granted" || (!document.hidden && item.tag !== TRIAL)) return;
  try {
    // The same tag from several pages is shown once.
    const shown = new Notification(item.title, { body: item.body, tag: item.tag, icon });
    shown.onclick = () => {
      window.focus();
      if (item.session_slug) window.location.assign(placeOf(item));
      shown.close();
    };
  } catch {
    // Some phones only let an installed page do this; the other channels reach them.
  }
}
