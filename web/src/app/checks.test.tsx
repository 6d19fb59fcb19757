import { focusManager } from "@tanstack/react-query";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import type { Check, Commands } from "@/api/types";
import {} from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";

const PLACE = "/projects/p1/checks";

const COMMANDS = "/api/projects/p1/commands";

const check: Check = {
  name: "tests",
  command: "pytest -q",
  shown: "pytest -q",
  timeout_seconds: 600,
  folder: "",
  source: "pytest.ini",
};

const detected: Commands = {
  origin: "detected",
  checks: [check],
  package: null,
  problems: [],
  notes: ["`vitest` watches; run once instead."],
  detected: [check],
  text: null,
  proposed: "verification: []\n",
};

const problem = {
  line: 2,
  column: 3,
  message: "`comand` is not a setting here.",
  suggestion: "Did you mean `command`?",
};

beforeAll(fetched(() => import("./pages/checks")));

const save = () => screen.getByRole("button", { name: "Save" });

describe("the checks of a project (TSK-12)", () => {
  it("say where they were found, and are edited and saved", async () => {
    const server = world()
      .on(`GET ${COMMANDS}`, () => detected)
      .on(`PUT ${COMMANDS}`, () => ({ ...detected, origin: "edited", checks: [{ ...check, source: "" }] }));
    open(PLACE);
    expect(await screen.findByText("found in pytest.ini", {}, SLOW)).toBeVisible();
    expect(screen.getByText("vitest", { selector: "code" })).toBeVisible();
    expect(save()).toBeDisabled();
    await userEvent.click(screen.getByRole("button", { name: "Add a check" }));
    await userEvent.click(save());
    expect(server.sent(`PUT ${COMMANDS}`)).toEqual([]);
    expect(screen.getByText("Say what to run.")).toBeVisible();
    const added = within(screen.getByRole("listitem", { name: "Check 2" }));
    await userEvent.type(added.getByLabelText("Command"), "make lint");
    await userEvent.type(added.getByLabelText("Folder"), "api");
    await userEvent.type(added.getByLabelText("Name"), "lint");
    await userEvent.click(screen.getByRole("button", { name: "Move lint up" }));
    await userEvent.click(save());
    await waitFor(() =>
      expect(server.sent(`PUT ${COMMANDS}`)[0]?.body).toEqual({
        checks: [
          { name: "lint", command: "make lint", timeout_seconds: 600, folder: "api" },
          { name: "tests", command: "pytest -q", timeout_seconds: 600, folder: "" },
        ],
      }),
    );
    expect(await screen.findByText("Edited in Pilothouse")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Go back to what was detected" }));
    await waitFor(() => expect(server.sent(`PUT ${COMMANDS}`)[1]?.body).toEqual({ checks: null }));
  });

  it("can be given up, removed, and are refused with the reason", async () => {
    world()
      .on(`GET ${COMMANDS}`, () => detected)
      .on(`PUT ${COMMANDS}`, () => new Refusal(400, "invalid_input", "There is no folder api."));
    open(PLACE);
    await userEvent.click(await screen.findByRole("button", { name: "Remove tests" }, SLOW));
    expect(screen.getByText(/No check was found/)).toBeVisible();
    await userEvent.click(save());
    expect(await screen.findByText("There is no folder api.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Discard edits" }));
    expect(screen.getByDisplayValue("pytest -q")).toBeVisible();
  });

  it("are saved as agent.yaml after a look at its text", async () => {
    const server = world()
      .on(`GET ${COMMANDS}`, () => detected)
      .on(`POST ${COMMANDS}/save`, () => ({ ...detected, origin: "agent.yaml", text: "verification: []\n" }));
    open(PLACE);
    await userEvent.click(await screen.findByRole("button", { name: /Save as agent.yaml/ }, SLOW));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByLabelText("Text of agent.yaml")).toHaveValue("verification: []\n");
    await userEvent.click(dialog.getByRole("button", { name: "Write agent.yaml" }));
    await waitFor(() =>
      expect(server.sent(`POST ${COMMANDS}/save`)[0]?.body).toEqual({ text: "verification: []\n", seen: null }),
    );
    expect(await screen.findByText("From agent.yaml")).toBeVisible();
  });

  it("are told as broken, by line and column, and set right in place (TSK-11)", async () => {
    const text = "verification:\n- comand: x\n";
    const server = world()
      .on(`GET ${COMMANDS}`, () => ({ ...detected, origin: "agent.yaml", checks: [], problems: [problem], text }))
      .on(
        `POST ${COMMANDS}/save`,
        () => new Refusal(400, "invalid_input", "Still wrong.", { problems: [{ ...problem, line: 1, column: 1 }] }),
      );
    open(PLACE);
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text of agent.yaml" }, SLOW);
    await userEvent.click(screen.getByRole("button", { name: "Line 2, column 3" }));
    expect(box).toHaveFocus();
    expect(text.slice(box.selectionStart, box.selectionEnd)).toBe("comand: x");
    await userEvent.click(screen.getByRole("button", { name: "Replace with what was detected" }));
    expect(box).toHaveValue("verification: []\n");
    fireEvent.change(box, { target: { value: "nonsense" } });
    expect(screen.queryByRole("list", { name: "Problems in agent.yaml" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Write agent.yaml" }));
    expect(await screen.findByRole("button", { name: "Line 1, column 1" })).toBeVisible();
    expect(server.sent(`POST ${COMMANDS}/save`)[0]?.body).toEqual({ text: "nonsense", seen: text });
  });
});

describe("a file that others change (TSK-15)", () =>
  it("is read again when the person comes back, and never over what they write", async () => {
    let text = "verification: []\n";
    world().on(`GET ${COMMANDS}`, () => ({ ...detected, origin: "agent.yaml", text }));
    open(PLACE);
    const box = await screen.findByLabelText("Text of agent.yaml", {}, SLOW);
    text = "verification: [] # theirs\n";
    focusManager.setFocused(true);
    await waitFor(() => expect(box).toHaveValue(text));
    await userEvent.type(box, "# mine");
    const mine = `${text}# mine`;
    text = "verification: [] # again\n";
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    expect(await screen.findByText(/changed on disk since/)).toBeVisible();
    expect(box).toHaveValue(mine);
    await userEvent.click(screen.getByRole("button", { name: "Show the file as it is now" }));
    expect(box).toHaveValue(text);
    focusManager.setFocused(undefined);
  }));
