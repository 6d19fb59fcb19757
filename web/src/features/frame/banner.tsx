import { CloudOff, RefreshCw } from "lucide-react";
import { useConnection } from "@/api/connection";
import { useOutbox } from "@/api/outbox";
import { say, t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";

/** Says that the line is down, and what of the person's own is still to be sent. */
export function ConnectionBanner() {
  const connection = useConnection((state) => state.connection);
  const waiting = useOutbox((state) => state.waiting.length);
  const down = connection === "reconnecting" || connection === "lost";
  return (
    // It lies over the page: nothing may move under somebody's hands because a line went down.
    <div role="status" aria-live="polite" className="pointer-events-none relative z-20 flex h-0 justify-center">
      {down && (
        <div
          data-connection={connection}
          className="appear pointer-events-auto mx-3 mt-1.5 flex h-fit min-h-9 flex-wrap items-center gap-x-3 gap-y-1 rounded-full border border-warn-line bg-warn-soft px-4 py-1 text-[13px] shadow-card max-sm:rounded-xl"
        >
          {connection === "lost" ? (
            <CloudOff size={15} aria-hidden className="text-warn" />
          ) : (
            <RefreshCw size={15} aria-hidden className="animate-spin text-warn [animation-duration:2s]" />
          )}
          <strong className="font-semibold">
            {connection === "lost" ? t.connection.lost : t.connection.reconnecting}
          </strong>
          {connection === "lost" && <span className="text-muted">{t.connection.lostMore}</span>}
          {waiting > 0 && <span>{say(t.connection.waiting, { count: waiting })}</span>}
          {connection === "lost" && (
            <Button size="sm" className="ml-auto" onClick={() => location.reload()}>
              {t.connection.reload}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
