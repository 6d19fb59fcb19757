import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";
import { CommitDialog } from "./commit-dialog";

const COMMIT = "POST /api/projects/p1/commit";
const done = task({ status: "COMPLETE", verdict: "PASS", files_changed: 2, actions: [] });
const PROGRAMS = [
  { kind: "hook", name: "pre-commit", text: "#!/bin/sh\nmake lint\n", digest: "a".repeat(64) },
  { kind: "setting", name: "filter.x.clean", text: "shout", digest: "b".repeat(64) },
];

describe("a commit that would run programs of the repository (BYD-23)", () => {
  it("shows each of them, and commits once they are accepted", async () => {
    const server = world([done]).on(COMMIT, (body) =>
      JSON.stringify(body).includes("a".repeat(64))
        ? { success: true, commit: "abcdef0123456789", files: 1 }
        : new Refusal(409, "programs_not_accepted", "It would run programs.", { programs: PROGRAMS }),
    );
    show(<CommitDialog task={done} onClose={() => undefined} />);
    await userEvent.click(await screen.findByRole("button", { name: "Commit 1 file" }));
    const asked = await screen.findByRole("alert", { name: "The commit would run programs of this repository" });
    await userEvent.click(within(asked).getByText("pre-commit"));
    expect(within(asked).getByText(/make lint/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Accept, and commit 1 file" }));
    await waitFor(() =>
      expect(server.sent(COMMIT).map((sent) => sent.body)).toEqual([
        expect.objectContaining({ accept: [] }),
        expect.objectContaining({ accept: ["a".repeat(64), "b".repeat(64)] }),
      ]),
    );
  });
});
