import { lazy, Suspense, useState } from "react";
import { SettingsPage } from "@/features/settings/settings-page";

const KeysDialog = lazy(() => import("@/features/palette/keys-dialog"));

export function Settings() {
  const [keys, setKeys] = useState(false);
  return (
    <>
      <SettingsPage onKeys={() => setKeys(true)} />
      <Suspense>{keys && <KeysDialog onClose={() => setKeys(false)} />}</Suspense>
    </>
  );
}
