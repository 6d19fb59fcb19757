import { ApiError, OfflineError } from "@/api/errors";
import { t } from "@/shared/i18n/t";
import { Button } from "./button";
import { InlineCode } from "./inline-code";
import { WarningIcon } from "./status";

/** A part of the page that could not be loaded: what happened, what to do, and another try. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const offline = error instanceof OfflineError;
  const text = offline ? t.errors.offline : error instanceof Error ? error.message : t.errors.unexpected;
  const fix = offline ? t.errors.offlineFix : error instanceof ApiError ? error.nextAction : "";
  return (
    <div role="alert" className="card flex items-start gap-2.5 p-3">
      <span className="text-bad">
        <WarningIcon />
      </span>
      <div className="min-w-0 flex-1">
        <p>
          <InlineCode text={text} />
        </p>
        {fix && (
          <p className="text-muted">
            <InlineCode text={fix} />
          </p>
        )}
      </div>
      {retry && (
        <Button size="sm" onClick={retry}>
          {t.common.retry}
        </Button>
      )}
    </div>
  );
}
