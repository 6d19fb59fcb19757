import { useNavigate, useSearch } from "@tanstack/react-router";
import { rangeOf, UsagePage } from "@/features/usage/usage-page";

export function Usage() {
  const { days, project } = useSearch({ from: "/usage" });
  const navigate = useNavigate({ from: "/usage" });
  return (
    <UsagePage
      range={rangeOf(days)}
      project={project ?? null}
      onRange={(next) => void navigate({ search: (now) => ({ ...now, days: Number(next) }), replace: true })}
      onProject={(next) => void navigate({ search: (now) => ({ ...now, project: next ?? undefined }), replace: true })}
    />
  );
}
