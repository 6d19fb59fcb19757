import { useEffect, useRef, type RefObject } from "react";

/** Where what had the focus goes away, as an answered question does, the focus stays here and not with the page's first link. */
export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null);
  useEffect(() => {
    const here = place.current;
    if (!here) return;
    let last: Element | null = null;
    const enter = ({ target }: FocusEvent) => {
      last = target instanceof Element && target !== here ? target : null;
    };
    const leave = () => {
      const left = last;
      // A button that is busy loses the focus too; whatever else is still there was left by the person.
      setTimeout(() => {
        if (left === last && left?.isConnected && !left.matches(":disabled") && left !== document.activeElement)
          last = null;
      });
    };
    const watch = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      here.focus({ preventScroll: true });
    });
    here.addEventListener("focusin", enter);
    here.addEventListener("focusout", leave);
    watch.observe(here, { childList: true, subtree: true });
    return () => {
      here.removeEventListener("focusin", enter);
      here.removeEventListener("focusout", leave);
      watch.disconnect();
    };
  }, []);
  return place;
}
