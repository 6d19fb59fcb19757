import { useQuery } from "@tanstack/react-query";
import { Link, useMatchRoute } from "@tanstack/react-router";
import {
  ChartColumn,
  CircleGauge,
  FolderGit2,
  Inbox,
  ListOrdered,
  MessagesSquare,
  Search,
  Settings,
  SquarePen,
} from "lucide-react";
import type { ReactNode } from "react";
import { useConnection } from "@/api/connection";
import { body, http } from "@/api/client";
import { say, t } from "@/shared/i18n/t";
import { buttonClass } from "@/shared/ui/button";
import { Wheel } from "@/shared/ui/wheel";
import { ConnectionBanner } from "./banner";
import { Notices } from "./notices";

const ICON = { size: 17, "aria-hidden": true, strokeWidth: 1.9 };

/** How many sessions wait for the person: the one number worth a glance. */
function useNeedsYou(): number {
  const counts = useQuery({
    queryKey: ["sessions", "needs-you"],
    queryFn: () => body(http.GET("/api/sessions", { params: { query: { group: "needs_you", limit: 1 } } })),
    select: (page) => page.counts.needs_you ?? 0,
  });
  return counts.data ?? 0;
}

const LINK =
  "relative flex items-center gap-2.5 rounded-md font-medium text-muted hover:bg-raised hover:text-text max-sm:min-w-12 max-sm:flex-1 max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:py-1.5 max-sm:text-[11px] sm:h-9 sm:px-2.5 lg:px-2.5 sm:max-lg:justify-center";
const ACTIVE = { className: "!text-accent sm:bg-accent-soft" };

function Rail() {
  const waiting = useNeedsYou();
  const inside = useMatchRoute()({ to: "/sessions/$projectId/$slug" }) !== false;
  const label = "sm:max-lg:sr-only";
  return (
    <nav
      aria-label={t.nav.label}
      className="safe-bottom z-30 flex border-line bg-panel max-sm:order-last max-sm:border-t max-sm:px-1 sm:w-14 sm:flex-col sm:gap-0.5 sm:border-r sm:px-2 sm:py-3 lg:w-52"
    >
      <Link to="/" className="mb-3 flex items-center gap-2.5 px-1.5 max-sm:hidden" aria-label={t.common.product}>
        <Wheel className="size-7" />
        <span className="font-semibold tracking-tight sm:max-lg:hidden">{t.common.product}</span>
      </Link>
      <Link to="/inbox" className={LINK} activeProps={ACTIVE} title={say(t.nav.waiting, { count: waiting })}>
        <Inbox {...ICON} />
        <span className={label}>{t.nav.inbox}</span>
        {waiting > 0 && (
          <span
            className="rounded-full bg-warn-soft px-1.5 text-[12px] leading-5 font-semibold text-warn max-lg:absolute max-lg:top-0 max-lg:right-0 lg:ml-auto"
            aria-label={say(t.nav.waiting, { count: waiting })}
          >
            {waiting}
          </span>
        )}
      </Link>
      <Link
        to="/"
        activeOptions={{ exact: true, includeSearch: false }}
        className={inside ? `${LINK} ${ACTIVE.className}` : LINK}
        activeProps={ACTIVE}
        aria-current={inside ? "true" : undefined}
        title={t.nav.sessions}
      >
        <MessagesSquare {...ICON} />
        <span className={label}>{t.nav.sessions}</span>
      </Link>
      <Link to="/queue" className={LINK} activeProps={ACTIVE} title={t.nav.queue}>
        <ListOrdered {...ICON} />
        <span className={label}>{t.nav.queue}</span>
      </Link>
      <Link to="/projects" className={LINK} activeProps={ACTIVE} title={t.nav.projects}>
        <FolderGit2 {...ICON} />
        <span className={label}>{t.nav.projects}</span>
      </Link>
      <Link to="/runner" className={LINK} activeProps={ACTIVE} title={t.nav.runner}>
        <CircleGauge {...ICON} />
        <span className={label}>{t.nav.runner}</span>
      </Link>
      <Link to="/usage" className={LINK} activeProps={ACTIVE} title={t.nav.usage}>
        <ChartColumn {...ICON} />
        <span className={label}>{t.nav.usage}</span>
      </Link>
      <Link to="/settings" className={`${LINK} max-[359px]:hidden`} activeProps={ACTIVE} title={t.nav.settings}>
        <Settings {...ICON} />
        <span className={label}>{t.nav.settings}</span>
      </Link>
    </nav>
  );
}

function ConnectionDot() {
  const connection = useConnection((state) => state.connection);
  const tone = connection === "open" ? "bg-ok" : connection === "connecting" ? "bg-faint breathe" : "bg-warn breathe";
  return (
    <span className="flex items-center gap-1.5 text-[13px] text-muted" title={t.connection[connection]}>
      <span aria-hidden className={`size-2 rounded-full ${tone}`} />
      <span className="max-sm:sr-only">{t.connection[connection]}</span>
    </span>
  );
}

interface Props {
  where: string;
  /** Where a new chat begins; undefined: where the person chooses. */
  project: string | undefined;
  onPalette: () => void;
  children: ReactNode;
}

export function Frame({ where, project, onPalette, children }: Props) {
  return (
    <div className="flex h-dvh flex-col overflow-hidden sm:flex-row">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t.common.skip}
      </a>
      <Rail />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-panel px-4">
          <Link to="/" className="sm:hidden" aria-label={t.common.product}>
            <Wheel className="size-6" />
          </Link>
          <span className="min-w-0 truncate font-medium max-sm:hidden">{where}</span>
          <button
            type="button"
            onClick={onPalette}
            className="flex h-8 min-w-0 items-center gap-2 rounded-md border border-line bg-bg px-2.5 text-[13px] text-muted hover:border-line-strong max-sm:flex-1 sm:ml-auto sm:w-64"
          >
            <Search size={14} aria-hidden />
            <span className="truncate">{t.nav.search}</span>
            <kbd className="ml-auto rounded border border-line px-1 font-mono text-[11px] max-sm:hidden">/</kbd>
          </button>
          <ConnectionDot />
          <Link
            to="/new"
            search={{ project }}
            className={`${buttonClass("primary", "sm")} shrink-0`}
            title={t.nav.newChat}
          >
            <SquarePen size={14} aria-hidden />
            <span className="max-sm:sr-only">{t.nav.newChat}</span>
          </Link>
        </header>
        <ConnectionBanner />
        <Notices />
        {}
        <main id="content" tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}
