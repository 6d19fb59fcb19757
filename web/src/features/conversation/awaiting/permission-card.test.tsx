import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Task } from "@/api/types";
import { TaskCard } from "../task-card";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { later, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { world } from "@/test/world";
import { AwaitingCard } from "./awaiting-card";

const DONE = { success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" };

const permission = {
  tool: "Bash",
  detail: "make clean",
  arguments: { command: "make clean", timeout: 60 },
  grant: "Bash(make:*)",
};

const asks = task({
  status: "AWAITING_RESPONSE",
  awaiting: "permission",
  permission,
  actions: ["permit", "resume", "cancel"],
});

describe("a permission (GRD-7)", () => {
  it("shows what would be done and is allowed once, or for the session", async () => {
    const server = world([asks]).on("POST /api/tasks/t1/permission", () => DONE);
    show(<AwaitingCard task={asks} />);
    expect(screen.getByRole("heading", { name: "The agent wants to use Bash" })).toBeVisible();
    expect(screen.getByRole("region", { name: "What it would do" })).toHaveTextContent("make clean");
    expect(screen.getByText(/Bash\(make:\*\)/)).toBeVisible();
    expect(screen.queryByRole("textbox")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Always in this session" }));
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/permission")[0]?.body).toEqual({
        decision: "session",
        reason: "",
        attempt: 1,
      }),
    );
    await userEvent.click(screen.getByRole("button", { name: "Allow once" }));
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/permission")[1]?.body).toEqual({
        decision: "once",
        reason: "",
        attempt: 1,
      }),
    );
  });

  it("shows all of a long script line by line, and names it once", () => {
    const command = Array.from({ length: 30 }, (_, line) => `make part-${line}`).join("\n");
    const long = {
      tool: "Bash",
      detail: `${command.replaceAll("\n", " ").slice(0, 160)}…`,
      arguments: { command, description: "Build all" },
      grant: `Bash(${command})`,
    };
    world([asks]);
    show(<AwaitingCard task={{ ...asks, permission: long }} />);
    expect(screen.getByRole("region", { name: "What it would do" }).textContent).toBe(command);
    expect(screen.getByText(/“Always in this session” allows exactly what is shown above/)).toBeVisible();
    expect(screen.getByText("Build all")).toBeInTheDocument();
  });

  it("shows what an edit takes out and puts in", () => {
    const edit = {
      tool: "Edit",
      detail: "calc.py",
      arguments: { file_path: "/r/calc.py", old_string: "a - b", new_string: "a + b", replace_all: false },
      grant: "Edit",
    };
    world([asks]);
    show(<AwaitingCard task={{ ...asks, permission: edit }} />);
    expect(screen.getByRole("region", { name: "What it would do" })).toHaveTextContent("calc.py−a - b+a + b");
  });

  it("has a reason that was begun open again after a reload, and takes no focus", () => {
    world([asks]);
    writeDraft(draftKeys.reply("t1"), "It is sha");
    show(<AwaitingCard task={asks} />);
    expect(screen.getByRole("textbox")).toHaveValue("It is sha");
    expect(screen.getByRole("textbox")).not.toHaveFocus();
    act(() => writeDraft(draftKeys.reply("t1"), ""));
  });

  it("is denied by keyboard, with a reason that survives going back", async () => {
    const server = world([asks]).on("POST /api/tasks/t1/permission", () => DONE);
    show(<AwaitingCard task={asks} />);
    screen.getByRole("button", { name: "Deny" }).focus();
    await userEvent.keyboard("{Enter}");
    const box = await screen.findByRole("textbox");
    expect(box).toHaveFocus();
    await userEvent.type(box, "It is shared");
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    await userEvent.click(screen.getByRole("button", { name: "Deny" }));
    await userEvent.type(await screen.findByDisplayValue("It is shared"), "{Enter}");
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/permission")[0]?.body).toEqual({
        decision: "deny",
        reason: "It is shared",
        attempt: 1,
      }),
    );
    await waitFor(() => expect(readDraft(draftKeys.reply("t1"))).toBe(""));
  });
});

describe("the keyboard (BYD-7)", () => {
  const card = (shown: Task) => <TaskCard snapshot={shown} view={null} onView={() => undefined} />;

  it("stays with the task when what it answered goes away", async () => {
    world([asks]).on("POST /api/tasks/t1/permission", () => DONE);
    const { again } = show(card(asks));
    screen.getByRole("button", { name: "Allow once" }).focus();
    await userEvent.keyboard("{Enter}");
    again(
      card({
        ...asks,
        status: "RUNNING",
        awaiting: null,
        permission: null,
        actions: ["cancel"],
        attempt: 2,
        updated_at: later(60),
      }),
    );
    await waitFor(() => expect(screen.getByRole("article")).toHaveFocus());
  });

  it("is left alone where the person went elsewhere meanwhile", async () => {
    world([asks]);
    const { again } = show(
      <>
        {card(asks)}
        <input aria-label="elsewhere" />
      </>,
    );
    screen.getByRole("button", { name: "Allow once" }).focus();
    screen.getByRole("textbox", { name: "elsewhere" }).focus();
    again(
      <>
        {card({ ...asks, status: "COMPLETE", awaiting: null, permission: null, actions: [], updated_at: later(60) })}
        <input aria-label="elsewhere" />
      </>,
    );
    await waitFor(() => expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull());
    expect(screen.getByRole("textbox", { name: "elsewhere" })).toHaveFocus();
  });

  it.each(["{Escape}", "{Tab}{Tab}{Enter}"])("leads back from denying to where it began: %s", async (keys) => {
    writeDraft(draftKeys.reply("t1"), "");
    world([asks]);
    show(card(asks));
    screen.getByRole("button", { name: "Deny" }).focus();
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("textbox", { name: /Why not/ })).toHaveFocus();
    await userEvent.keyboard(keys);
    expect(screen.getByRole("button", { name: "Deny" })).toHaveFocus();
    expect(screen.queryByRole("textbox", { name: /Why not/ })).toBeNull();
  });
});
