import type { ReactNode } from "react";

interface Props {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, actions, children }: Props) {
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pt-5 pb-10 sm:px-6">
      <header className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
          {lead && <p className="text-muted">{lead}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
