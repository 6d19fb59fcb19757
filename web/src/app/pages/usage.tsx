import { useNavigate, useSearch } from "@tanstack/react-router";
import { isRange, UsagePage, type Range } from "@/features/usage/usage-page";

export function Usage() {
  const { days, project } = useSearch({ from: "/usage" });
  const navigate = useNavigate({ from: "/usage" });
  const range: Range = days !== undefined && isRange(days) ? days : "7";
  return (
    <UsagePage
      range={range}
      project={project ?? null}
      onRange={(next) => void navigate({ search: (now) => ({ ...now, days: next }), replace: true })}
      onProject={(next) => void navigate({ search: (now) => ({ ...now, project: next ?? undefined }), replace: true })}
    />
  );
}
