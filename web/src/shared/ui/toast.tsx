import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect } from "react";
import { create } from "zustand";
import { ApiError, OfflineError } from "@/api/errors";
import { t } from "@/shared/i18n/t";
import { Button, IconButton } from "./button";
import { InlineCode } from "./inline-code";

interface Toast {
  id: number;
  kind: "done" | "problem";
  text: string;
  more: string;
  action: { label: string; run: () => void } | null;
}

const SHOWN_MS = 6000;
const MOST = 4;
let last = 0;

const useToasts = create<{ toasts: Toast[] }>()(() => ({ toasts: [] }));

function show(toast: Omit<Toast, "id">): void {
  last += 1;
  const added = { ...toast, id: last };
  // The same words again take the place of the first ones: a second click must not pile them up.
  const same = (other: Toast) => other.kind === added.kind && other.text === added.text && other.more === added.more;
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.filter((other) => !same(other)), added].slice(-MOST) }));
}

function hide(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

export const toast = {
  done: (text: string, action: Toast["action"] = null) => show({ kind: "done", text, more: "", action }),
  problem: (text: string, more = "") => show({ kind: "problem", text, more, action: null }),
  /** What went wrong and what to do, in the server's words where it has some. */
  error: (error: unknown) => {
    if (error instanceof ApiError) show({ kind: "problem", text: error.message, more: error.nextAction, action: null });
    else if (error instanceof OfflineError)
      show({ kind: "problem", text: t.errors.offline, more: t.errors.offlineFix, action: null });
    else
      show({
        kind: "problem",
        text: t.errors.unexpected,
        more: error instanceof Error ? error.message : "",
        action: null,
      });
  },
};

function Row({ toast: item }: { toast: Toast }) {
  useEffect(() => {
    if (item.kind === "problem") return;
    const timer = setTimeout(() => hide(item.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [item]);
  return (
    <div
      className="card appear pointer-events-auto flex w-full shrink-0 items-start gap-2.5 px-3 py-2.5 shadow-card"
      role={item.kind === "problem" ? "alert" : "status"}
    >
      {item.kind === "problem" ? (
        <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      ) : (
        <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-ok" />
      )}
      <div className="min-w-0 flex-1">
        <p>
          <InlineCode text={item.text} />
        </p>
        {item.more && (
          <p className="text-muted">
            <InlineCode text={item.more} />
          </p>
        )}
      </div>
      {item.action && (
        <Button
          size="sm"
          onClick={() => {
            item.action?.run();
            hide(item.id);
          }}
        >
          {item.action.label}
        </Button>
      )}
      <IconButton label={t.common.dismiss} className="-my-1 -mr-1.5" onClick={() => hide(item.id)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  return (
    // Newest first, below the bars that say what waits, and never so tall that it would lie over the Start button.
    <section
      aria-label={t.common.messages}
      className="pointer-events-none fixed top-32 right-4 z-50 flex max-h-56 w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 overflow-y-auto"
    >
      {[...toasts].reverse().map((item) => (
        <Row key={item.id} toast={item} />
      ))}
    </section>
  );
}
