import { t } from "@/shared/i18n/t";

/** Darker than what it stands on: in the colour of a raised part it could not be told from an empty page. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <div aria-hidden className={`breathe rounded-md bg-line ${className}`} />;
}

/** Rows in the shape of what is coming, so that nothing moves when it arrives. */
export function SkeletonRows({ rows = 5, className = "h-14" }: { rows?: number; className?: string }) {
  return (
    <div role="status" aria-label={t.common.loading} className="flex flex-col gap-2">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} className={className} />
      ))}
    </div>
  );
}
