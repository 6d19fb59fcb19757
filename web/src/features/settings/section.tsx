import { useId, type ReactNode } from "react";

interface Props {
  title: string;
  lead?: string;
  /** What is inside has a border of its own. */
  bare?: boolean;
  children: ReactNode;
}

export function Section({ title, lead, bare = false, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="px-1 text-[13px] font-semibold text-muted">
        {title}
      </h2>
      {lead && <p className="px-1 text-[13px] text-muted">{lead}</p>}
      <div className={bare ? "mt-1.5" : "card mt-1.5 divide-y divide-line"}>{children}</div>
    </section>
  );
}

/** One setting: what it is and does, and the control beside it. */
export function Setting({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium">{name}</p>
        {hint && <p className="text-[13px] text-muted">{hint}</p>}
      </div>
      <div className="min-w-0 text-muted">{children}</div>
    </div>
  );
}
