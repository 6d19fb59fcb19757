import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useRouterState, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useLogin } from "@/api/client";
import { useConnection } from "@/api/connection";
import { useOutbox } from "@/api/outbox";
import { stateQuery } from "@/api/queries";
import { startLive } from "@/events/feed";
import { Frame } from "@/features/frame/frame";
import { LoginPage } from "@/features/login/login-page";
import { hasToken } from "@/features/login/fragment";
import { useShortcuts, type Shortcuts } from "@/features/palette/shortcuts";
import { say, t } from "@/shared/i18n/t";
import { returnToDraft } from "@/shared/lib/draft";
import { toast, Toasts } from "@/shared/ui/toast";
import { usePrefetch } from "./prefetch";

const Palette = lazy(() => import("@/features/palette/palette"));
const KeysDialog = lazy(() => import("@/features/palette/keys-dialog"));

const RETRY_MS = 2000;
let telling: Promise<void> | null = null;

/** Sends what was done offline, once, and says what became of it, once however often it is called meanwhile. */
function flushOutbox(): Promise<void> {
  telling ??= sendAndTell().finally(() => {
    telling = null;
  });
  return telling;
}

async function sendAndTell(): Promise<void> {
  const { sent, refused } = await useOutbox.getState().flush();
  for (const item of sent) toast.done(say(t.connection.sent, { label: item.label }));
  for (const { waiting, error } of refused) {
    if (waiting.draft) returnToDraft(waiting.draft.key, waiting.draft.text);
    toast.problem(say(t.connection.refused, { label: waiting.label }), error.message);
  }
}

function useLiveUpdates(since: number | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (since === undefined) return;
    return startLive(client, since, () => void flushOutbox().catch(toast.error));
  }, [client, since]);
}

/** A line that is up does not say that every request gets through: what is kept is tried again until it is sent. */
function useOutboxRetry(): void {
  const waits = useOutbox((state) => state.waiting.length > 0);
  const up = useConnection((state) => state.connection === "open");
  useEffect(() => {
    if (!waits || !up) return;
    const timer = setInterval(() => void flushOutbox().catch(toast.error), RETRY_MS);
    return () => clearInterval(timer);
  }, [waits, up]);
}

/** Without it nothing else is heard of: it is asked for until the server answers, and then whatever failed meanwhile. */
function useServerState() {
  const client = useQueryClient();
  const state = useQuery({
    ...stateQuery,
    refetchInterval: ({ state: { data } }) => (data === undefined ? RETRY_MS : false),
  });
  const known = state.data !== undefined;
  useEffect(() => {
    if (known) void client.invalidateQueries({ predicate: (query) => query.state.status === "error" });
  }, [client, known]);
  return state;
}

function placeName(path: string): string {
  const first = path.split("/")[1] ?? "";
  const names: Record<string, string> = {
    "": t.nav.sessions,
    inbox: t.nav.inbox,
    sessions: t.nav.sessions,
    queue: t.nav.queue,
    projects: t.nav.projects,
    runner: t.nav.runner,
    usage: t.nav.usage,
    "ways-back": t.ways.title,
    settings: t.nav.settings,
    new: t.nav.newChat,
  };
  return names[first] ?? "";
}

/** The project that the page shown is about; a new chat begins there. */
function useProjectHere(): string | undefined {
  const shown = useParams({ strict: false, select: ({ projectId }) => projectId });
  const filtered = useSearch({ strict: false, select: ({ project }) => project });
  return shown ?? filtered;
}

function Inside() {
  const state = useServerState();
  const navigate = useNavigate();
  const path = useRouterState({ select: (router) => router.location.pathname });
  const here = useProjectHere();
  const [open, setOpen] = useState<"palette" | "keys" | null>(null);
  const [since, setSince] = useState<number | undefined>(undefined);
  if (since === undefined && state.data) setSince(state.data.seq);
  useLiveUpdates(since);
  useOutboxRetry();
  usePrefetch(useConnection((state) => state.connection === "open"));

  const shortcuts = useMemo((): Shortcuts => {
    const to = (place: "/" | "/inbox" | "/queue" | "/projects" | "/runner" | "/usage" | "/settings") => () =>
      void navigate({ to: place });
    return {
      palette: () => setOpen("palette"),
      help: () => setOpen("keys"),
      newChat: () => void navigate({ to: "/new", search: { project: here } }),
      compose: () => {
        document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus();
      },
      go: {
        s: to("/"),
        i: to("/inbox"),
        q: to("/queue"),
        p: to("/projects"),
        r: to("/runner"),
        u: to("/usage"),
        t: to("/settings"),
      },
    };
  }, [navigate, here]);
  useShortcuts(shortcuts);

  useEffect(() => {
    document.title = `${placeName(path)} · ${t.common.product}`;
  }, [path]);

  const close = () => setOpen(null);
  const go = shortcuts.go;
  return (
    <Frame where={placeName(path)} project={here} onPalette={shortcuts.palette}>
      <Outlet />
      <Suspense>
        {open === "palette" && (
          <Palette
            onClose={close}
            onSession={(projectId, slug) =>
              void navigate({ to: "/sessions/$projectId/$slug", params: { projectId, slug } })
            }
            actions={[
              { label: t.nav.newChat, run: shortcuts.newChat },
              { label: t.keys.title, run: shortcuts.help },
            ]}
            places={[
              { label: t.nav.inbox, run: () => go.i?.() },
              { label: t.nav.sessions, run: () => go.s?.() },
              { label: t.nav.queue, run: () => go.q?.() },
              { label: t.nav.projects, run: () => go.p?.() },
              { label: t.ways.title, run: () => void navigate({ to: "/ways-back" }) },
              { label: t.nav.runner, run: () => go.r?.() },
              { label: t.nav.usage, run: () => go.u?.() },
              { label: t.nav.settings, run: () => go.t?.() },
            ]}
          />
        )}
        {open === "keys" && <KeysDialog onClose={close} />}
      </Suspense>
    </Frame>
  );
}

/** Logged out, there is the login page and nothing else. */
export function Root() {
  const login = useLogin((state) => state.login);
  const client = useQueryClient();
  const [byLink, setByLink] = useState(hasToken);
  const outside = login === "out" || byLink;
  return (
    <>
      {outside ? (
        <LoginPage
          onLogin={() => {
            setByLink(false);
            void client.resetQueries();
          }}
        />
      ) : (
        <Inside />
      )}
      <Toasts />
    </>
  );
}
