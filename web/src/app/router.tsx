import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";
import { t } from "@/shared/i18n/t";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Crash } from "./crash";
import { Root } from "./root";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <div className="mx-auto max-w-md px-6 py-20 text-center">
      <h1 className="text-base font-semibold">{t.errors.notFoundTitle}</h1>
      <p className="mt-1 text-muted">{t.errors.notFound}</p>
    </div>
  ),
});

const page = lazyRouteComponent;

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (
    search: Record<string, unknown>,
  ): { q?: string; show?: string; sort?: string; project?: string } => ({
    q: text(search.q),
    show: text(search.show),
    sort: text(search.sort),
    project: text(search.project),
  }),
  component: page(() => import("./pages/home"), "Home"),
});
const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  component: page(() => import("./pages/home"), "InboxHome"),
});
const fresh = createRoute({
  getParentRoute: () => root,
  path: "/new",
  validateSearch: (search: Record<string, unknown>): { project?: string } => ({ project: text(search.project) }),
  component: page(() => import("./pages/new-chat"), "NewChat"),
});
const session = createRoute({
  getParentRoute: () => root,
  path: "/sessions/$projectId/$slug",
  validateSearch: (search: Record<string, unknown>): { task?: string; view?: string; run?: string; file?: string } => ({
    task: text(search.task),
    view: text(search.view),
    run: text(search.run),
    file: text(search.file),
  }),
  component: page(() => import("./pages/session"), "SessionPage"),
});
const queue = createRoute({
  getParentRoute: () => root,
  path: "/queue",
  component: page(() => import("@/features/queue/queue-page"), "QueuePage"),
});
const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  component: page(() => import("@/features/projects/projects-page"), "ProjectsPage"),
});
const checks = createRoute({
  getParentRoute: () => root,
  path: "/projects/$projectId/checks",
  component: page(() => import("./pages/checks"), "Checks"),
});
const runner = createRoute({
  getParentRoute: () => root,
  path: "/runner",
  component: page(() => import("@/features/runner/runner-page"), "RunnerPage"),
});
const usage = createRoute({
  getParentRoute: () => root,
  path: "/usage",
  validateSearch: (search: Record<string, unknown>): { days?: number; project?: string } => ({
    days: typeof search.days === "number" ? search.days : undefined,
    project: text(search.project),
  }),
  component: page(() => import("./pages/usage"), "Usage"),
});
const ways = createRoute({
  getParentRoute: () => root,
  path: "/ways-back",
  validateSearch: (search: Record<string, unknown>): { project?: string } => ({ project: text(search.project) }),
  component: page(() => import("./pages/ways-back"), "WaysBack"),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: page(() => import("./pages/settings"), "Settings"),
});

const routeTree = root.addChildren([
  home,
  inbox,
  fresh,
  session,
  queue,
  projects,
  checks,
  runner,
  usage,
  ways,
  settings,
]);

/** Without a history of its own it uses the browser's. */
export const makeRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    defaultPreload: "intent",
    defaultPendingMs: 150,
    // A page that has come is shown: by default it would wait half a second behind its skeleton.
    defaultPendingMinMs: 0,
    defaultPendingComponent: () => (
      <div className="mx-auto max-w-4xl p-6">
        <SkeletonRows />
      </div>
    ),
    defaultErrorComponent: Crash,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
