import { useState } from "react";
import { t } from "@/shared/i18n/t";
import { Dialog } from "./dialog";
import { TextField } from "./text-field";

interface Props {
  title: string;
  description: string;
  label: string;
  busy: boolean;
  onReason: (reason: string) => void;
  onClose: () => void;
  children?: React.ReactNode;
}

/** Something a person takes upon themselves, which is why it asks for a reason. */
export function ReasonDialog({ title, description, label, busy, onReason, onClose, children }: Props) {
  const [reason, setReason] = useState("");
  const missing = reason.trim() === "";
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      action={{
        label,
        look: "primary",
        disabled: busy || missing,
        why: missing ? t.doubts.noReason : null,
        run: () => onReason(reason.trim()),
      }}
    >
      <div className="flex flex-col gap-3">
        {children}
        <TextField label={t.doubts.reason} value={reason} onChange={setReason} />
      </div>
    </Dialog>
  );
}
