import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePause } from "lucide-react";
import { runnerQuery } from "@/api/queries";
import { t } from "@/shared/i18n/t";
import { buttonClass } from "./button";

/** Why nothing moves, wherever tasks wait; nothing while the runner runs. */
export function StoppedRunner({ className = "" }: { className?: string }) {
  const runner = useQuery(runnerQuery);
  if (!runner.data || runner.data.state === "running") return null;
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-1.5 text-[13px] ${className}`}
    >
      <CirclePause size={15} aria-hidden className="shrink-0 text-warn" />
      <span className="min-w-0 flex-1 font-medium">
        {runner.data.state === "stopping" ? t.stoppedRunner.stopping : t.stoppedRunner.text}
      </span>
      <Link to="/runner" className={buttonClass("plain", "sm")}>
        {t.stoppedRunner.open}
      </Link>
    </div>
  );
}
