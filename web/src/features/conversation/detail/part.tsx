import type { ReactNode } from "react";

export function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-[12px] font-semibold text-muted">{label}</h3>
      {children}
    </section>
  );
}
