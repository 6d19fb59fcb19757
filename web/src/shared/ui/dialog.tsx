import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { t } from "@/shared/i18n/t";
import { Button, IconButton } from "./button";

interface Props {
  title: string;
  description?: string;
  /** What it asks about; beside it stands the way to leave things as they are. */
  action?: { label: string; look: "primary" | "danger"; disabled?: boolean; why?: string | null; run: () => void };
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Open for as long as it is drawn. On a phone it rises from the bottom edge, where the thumb is. */
export function Dialog({ title, description, action, wide = false, onClose, children }: Props) {
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            // Radix returns to its own trigger, and these dialogs have none.
            event.preventDefault();
            if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={`appear fixed z-50 flex max-h-[85dvh] flex-col border border-line bg-panel shadow-card outline-none max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-xl sm:top-[12vh] sm:left-1/2 sm:w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:rounded-xl ${wide ? "sm:max-w-2xl" : "sm:max-w-lg"}`}
        >
          <header className="flex items-start gap-3 px-5 pt-4">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-[15px] font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label={t.common.close}>
                <X size={16} aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {action && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
              <Button onClick={onClose}>{t.common.cancel}</Button>
              <Button
                look={action.look}
                disabled={action.disabled}
                title={action.why ?? ""}
                onClick={() => action.run()}
              >
                {action.label}
              </Button>
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
