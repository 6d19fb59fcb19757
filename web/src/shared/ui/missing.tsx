import type { ReactNode } from "react";
import { isRecovering } from "@/api/errors";
import { t } from "@/shared/i18n/t";
import { Failure } from "./failure";

interface Props {
  query: { data: unknown; error: Error | null; isPending: boolean; refetch: () => Promise<unknown> };
  /** Around what is shown. */
  className?: string;
  /** In the shape of what is coming. */
  children: ReactNode;
}

/** Stands where the answer to a query will be: what is coming, or why it did not come, and another try. */
export function Missing({ query, className, children }: Props) {
  if (query.data !== undefined) return null;
  if (isRecovering(query.error))
    return (
      <div role="status" className={className}>
        <p className="mb-2 text-muted">{t.common.recovering}</p>
        {children}
      </div>
    );
  const shown = query.isPending ? children : <Failure error={query.error} retry={() => void query.refetch()} />;
  return className === undefined ? shown : <div className={className}>{shown}</div>;
}
