import { useEffect, useState } from "react";

/** What is over sooner is not worth a word that flashes up. */
const WORTH_MS = 150;

/** Whether something has been so for a while. */
export function useDelayed(on: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setLasts(true), WORTH_MS);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [on]);
  return on && lasts;
}
