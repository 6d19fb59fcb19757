import type { ReactNode } from "react";
import type { Permission } from "@/api/types";
import { t } from "@/shared/i18n/t";

const TEXT = "font-mono text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]";

/** The parts of a call that say what it would do, by the names that agents give them; the rest is a detail. */
export interface CallParts {
  /** All of a command: its one line may be cut, and runs the lines of a script together. */
  command: string | null;
  removes: string | null;
  writes: string | null;
  rest: [string, unknown][];
}

export function partsOf({ detail, arguments: given }: Permission): CallParts {
  const text = (...names: string[]): string | null => {
    const name = names.find((one) => typeof given[one] === "string" && given[one] !== "");
    const value = name === undefined ? null : given[name];
    return typeof value === "string" ? value : null;
  };
  const shown = { command: text("command"), removes: text("old_string"), writes: text("new_string", "content") };
  const known: unknown[] = [detail, ...Object.values(shown)];
  return { ...shown, rest: Object.entries(given).filter(([, value]) => !known.includes(value)) };
}

function Marked({ mark, tone, text }: { mark: string; tone: string; text: string }) {
  return (
    <div className={`flex gap-2 px-3 py-1 ${tone}`}>
      <span aria-hidden className="select-none">
        {mark}
      </span>
      <div className="min-w-0 flex-1">{text}</div>
    </div>
  );
}

function Change({ parts, detail }: { parts: CallParts; detail: string }) {
  return (
    <>
      {detail && <div className="px-3 py-2 font-semibold">{detail}</div>}
      {parts.removes !== null && <Marked mark="−" tone="bg-bad-soft" text={parts.removes} />}
      {parts.writes !== null && <Marked mark="+" tone="bg-ok-soft" text={parts.writes} />}
    </>
  );
}

/** Everything it would do, to be read before it is allowed. */
export function PermissionDetails({ permission }: { permission: Permission }) {
  const parts = partsOf(permission);
  const changes = parts.removes !== null || parts.writes !== null;
  const what: ReactNode = changes ? (
    <Change parts={parts} detail={permission.detail} />
  ) : (
    (parts.command ?? permission.detail)
  );
  return (
    <>
      {what && (
        <div
          role="region"
          tabIndex={0}
          aria-label={t.permission.what}
          className={`max-h-72 overflow-auto rounded-md bg-code ${changes ? "" : "px-3 py-2"} ${TEXT}`}
        >
          {what}
        </div>
      )}
      {parts.rest.length > 0 && (
        <details className="text-[13px]">
          <summary className="cursor-pointer text-muted">{t.permission.more}</summary>
          <dl className="mt-1.5 flex flex-col gap-1.5">
            {parts.rest.map(([name, value]) => (
              <div key={name}>
                <dt className="font-medium text-muted">{name}</dt>
                <dd className={`max-h-60 overflow-auto rounded-md bg-code px-3 py-2 ${TEXT}`}>
                  {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
