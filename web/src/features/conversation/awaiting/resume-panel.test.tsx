import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { resumeOptions, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { FakeServer } from "@/test/server";
import { AwaitingCard } from "./awaiting-card";
import { ResumePanel } from "./resume-panel";

const interrupted = task({
  status: "AWAITING_RESPONSE",
  awaiting: "interrupted",
  actions: ["reply", "resume", "cancel"],
});
const RESUMED = "POST /api/tasks/t1/resume";

function serve(options = resumeOptions): FakeServer {
  return new FakeServer()
    .on("GET /api/tasks/t1/resume-options", () => options)
    .on(RESUMED, (body) => ({
      success: true,
      task_id: "t1",
      mode: "rollback",
      attempt: 2,
      new_status: "QUEUED",
      rollback_id: "r1",
      got: body,
    }));
}

describe("the resume panel (WEB-2)", () => {
  it("says what happened, what is saved, the default and why, and what a rollback takes away", async () => {
    serve();
    show(<ResumePanel task={interrupted} />);
    expect(await screen.findByText("The server stopped while it ran.")).toBeVisible();
    expect(screen.getByText("The step log").parentElement).toHaveTextContent("Missing");
    expect(screen.getByText(/the tree is half changed/)).toBeVisible();
    expect(screen.getByText(/removes changes in 1 file: 4 added and 2 removed lines/)).toBeVisible();
    expect(screen.getByText("fees.py")).toBeInTheDocument();
    expect(screen.getByText(/1 reply of yours is repeated/)).toBeVisible();
  });

  it("speaks of nothing saved where nothing had begun (WEB-2)", async () => {
    serve({ ...resumeOptions, saved: [], soft_available: true, soft_problem: null });
    show(<ResumePanel task={interrupted} />);
    expect(await screen.findByRole("button", { name: "Resume (replay)" })).toBeEnabled();
    expect(screen.queryByRole("heading", { name: /saved/i })).toBeNull();
  });

  it("marks what is code in what happened", async () => {
    serve({ ...resumeOptions, happened: "Run `claude auth login` first." });
    show(<ResumePanel task={interrupted} />);
    expect(await screen.findByText("claude auth login", { selector: "code" })).toBeVisible();
  });

  it("rolls back and replays by default (WEB-3)", async () => {
    const server = serve();
    show(<ResumePanel task={interrupted} />);
    const button = await screen.findByRole("button", { name: "Rollback & replay" });
    expect(button).toHaveAccessibleDescription(/^Default\./);
    await userEvent.click(button);
    await waitFor(() => expect(server.sent(RESUMED)[0]?.body).toEqual({ mode: "rollback", attempt: 1 }));
    expect(await screen.findByText(/runs again from the start/, { selector: "[role=status] p" })).toBeVisible();
  });

  it("disables the soft way with its reason when a part is missing (WEB-3)", async () => {
    serve();
    show(<ResumePanel task={interrupted} />);
    const soft = await screen.findByRole("button", { name: "Resume (replay)" });
    expect(soft).toBeDisabled();
    expect(soft).toHaveAccessibleDescription("Not possible: the step log is missing");
  });

  it("shows what another attempt would take away before it offers the way back (TSK-16)", async () => {
    const server = serve();
    const { again } = show(<ResumePanel task={interrupted} />);
    await screen.findByText("The server stopped while it ran.");
    server.on("GET /api/tasks/t1/resume-options", () => ({ ...resumeOptions, happened: "It was stopped once more." }));
    again(<ResumePanel task={{ ...interrupted, attempt: 2 }} />);
    expect(screen.queryByText("The server stopped while it ran.")).toBeNull();
    expect(await screen.findByText("It was stopped once more.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Rollback & replay" }));
    await waitFor(() => expect(server.sent(RESUMED)[0]?.body).toEqual({ mode: "rollback", attempt: 2 }));
  });

  it("resumes softly when everything is saved", async () => {
    const server = serve({ ...resumeOptions, soft_available: true, soft_problem: null });
    show(<ResumePanel task={interrupted} />);
    await userEvent.click(await screen.findByRole("button", { name: "Resume (replay)" }));
    await waitFor(() => expect(server.sent(RESUMED)[0]?.body).toEqual({ mode: "soft", attempt: 1 }));
  });
});

describe("a task that asks (WEB-2)", () => {
  it.each([
    ["question", {}],
    ["question", { plan: "1. Do it" }],
    ["blocker", {}],
    ["permission", {}],
  ] as const)("offers the other ways to go on with a %s, one click away", async (awaiting, changes) => {
    serve();
    const asks = task({
      status: "AWAITING_RESPONSE",
      awaiting,
      question: "Which one?",
      actions: ["reply", "permit", "resume", "cancel"],
      ...changes,
    });
    show(<AwaitingCard task={asks} />);
    expect(screen.queryByRole("button", { name: "Rollback & replay" })).toBeNull();
    await userEvent.click(screen.getByText("Other ways to continue"));
    expect(await screen.findByRole("button", { name: "Rollback & replay" })).toBeEnabled();
    expect(screen.getByRole("button", { name: "Resume (replay)" })).toBeVisible();
  });
});
