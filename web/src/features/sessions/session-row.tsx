import { Link } from "@tanstack/react-router";
import type { Session } from "@/api/types";
import { money } from "@/shared/lib/numbers";
import { Status } from "@/shared/ui/status";
import { Ago } from "@/shared/ui/time";

export function SessionRow({ session }: { session: Session }) {
  return (
    <li>
      <Link
        to="/sessions/$projectId/$slug"
        params={{ projectId: session.project_id, slug: session.slug }}
        className="group grid min-h-14 grid-cols-[1fr_auto] items-center gap-x-4 px-4 py-2.5 hover:bg-raised focus-visible:-outline-offset-2 sm:grid-cols-[9.5rem_1fr_auto]"
      >
        <Status
          status={session.task_status}
          awaiting={session.awaiting}
          verdict={session.verdict}
          doubtful={session.doubts > 0}
          className="text-[13px] max-sm:order-2 max-sm:col-span-2"
        />
        <span className="min-w-0 max-sm:order-1">
          <span className="block truncate font-medium">{session.title}</span>
          <span className="block truncate text-[13px] text-muted">
            {session.project_name}
            {session.doing && <span> · {session.doing}</span>}
          </span>
        </span>
        <span className="flex flex-col items-end text-[13px] text-muted max-sm:order-1 max-sm:self-start">
          <Ago at={session.updated_at} />
          <span className="text-[12px] text-faint">{session.cost_usd > 0 ? money(session.cost_usd) : " "}</span>
        </span>
      </Link>
    </li>
  );
}
