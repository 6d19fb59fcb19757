import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { preview } from "@/test/fixtures";
import { show } from "@/test/render";
import { FakeServer, Refusal } from "@/test/server";
import { UndoDialog } from "./undo-dialog";

const LOOK = "GET /api/tasks/t1/undo-preview";
const UNDO = "POST /api/tasks/t1/undo-rollback";
const done = { success: true, rollback_id: "u1", took_away: preview, other_branches: [], nothing_to_do: false };
const over = { ...preview, how: "over" as const, merge: "m1", patch: "+a line" };
const open = () => show(<UndoDialog taskId="t1" rollbackId="r1" onClose={() => undefined} />);
const undo = () => screen.getByRole("button", { name: "Undo the rollback" });

it("shows what comes back over newer changes, and confirms that very change (BYD-22)", async () => {
  const server = new FakeServer().on(LOOK, () => over).on(UNDO, () => done);
  open();
  expect(await screen.findByText(/Other changes lie on top/)).toBeVisible();
  await userEvent.click(undo());
  await waitFor(() => expect(server.sent(UNDO)[0]?.body).toEqual({ rollback_id: "r1", merge: "m1", exact: false }));
});

it("names the files in the way, and can put all back as it was (BYD-3)", async () => {
  const clashes = [{ path: "fees.py", reason: "The same lines were changed since." }];
  const server = new FakeServer().on(LOOK, () => ({ ...over, merge: null, clashes })).on(UNDO, () => done);
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("fees.py The same lines were changed since.");
  expect(undo()).toBeDisabled();
  server.on(LOOK, () => preview);
  await userEvent.click(screen.getByRole("button", { name: "Bring all back as it was" }));
  await waitFor(() => expect(undo()).toBeEnabled());
  await userEvent.click(undo());
  await waitFor(() => expect(server.sent(UNDO)[0]?.body).toEqual({ rollback_id: "r1", merge: null, exact: true }));
});

it("says that what was saved is still looked at, and waits for it (BYD-8)", async () => {
  const server = new FakeServer().on(LOOK, () => new Refusal(503, "recovering", "Still looking."));
  open();
  expect(await screen.findByText("Looking at what was saved…")).toBeVisible();
  server.on(LOOK, () => preview);
  await waitFor(() => expect(undo()).toBeEnabled(), { timeout: 5000 });
});
