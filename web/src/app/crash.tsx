import { useEffect } from "react";
import { useConnection } from "@/api/connection";
import { t } from "@/shared/i18n/t";
import { Failure } from "@/shared/ui/failure";

/** A page that could not be shown. If the server was away, it is tried again by itself when the server is back. */
export function Crash({ error }: { error: unknown }) {
  useEffect(
    () =>
      useConnection.subscribe((now, before) => {
        if (now.connection === "open" && before.connection !== "open") location.reload();
      }),
    [],
  );
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Failure error={error instanceof Error ? error : new Error(t.errors.crashed)} retry={() => location.reload()} />
    </div>
  );
}
