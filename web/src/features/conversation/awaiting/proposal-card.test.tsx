import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";
import { AwaitingCard } from "./awaiting-card";

const proposed = task({
  status: "AWAITING_RESPONSE",
  awaiting: "dry_run",
  dry_run: true,
  summary: "Raises the fee.",
  files_changed: 1,
  actions: ["cancel", "apply", "discard"],
});
const APPLIED = "POST /api/tasks/t1/apply";
const MERGE = {
  merge: "m1",
  files: ["fees.py"],
  insertions: 1,
  deletions: 1,
  truncated: false,
  patch:
    "diff --git a/fees.py b/fees.py\n--- a/fees.py\n+++ b/fees.py\n@@ -1,2 +1,2 @@\n-return 7\n+return 8\n # end\n",
};
const SLOW = { timeout: 8000 };

beforeAll(() =>
  Promise.all([import("../detail/diff-files"), import("./merge-diff"), import("@/shared/ui/markdown-renderer")]).then(
    () => undefined,
  ),
);

const apply = () => screen.getByRole("button", { name: "Apply" });

describe("a dry run's proposal (TSK-7)", () => {
  it("proves that no byte was written, or names what somebody else wrote meanwhile", async () => {
    const untouched = { before: "aaaaaaaa1", after: "aaaaaaaa1", meanwhile: [] };
    world([proposed]);
    const { again } = show(<AwaitingCard task={{ ...proposed, untouched }} />);
    expect(await screen.findByText(/the same, byte for byte/)).toHaveTextContent("aaaaaaaa");
    const moved = { ...untouched, after: "bbbbbbbb1", meanwhile: ["mine.txt"] };
    again(<AwaitingCard task={{ ...proposed, untouched: moved }} />);
    expect(screen.getByText(/changed while it worked, and not by it: mine\.txt/)).toBeVisible();
  });

  it("is shown as a unified diff and applied when the person says so", async () => {
    const server = world([proposed]).on(APPLIED, () => ({
      success: true,
      task_id: "t1",
      old_status: "AWAITING_RESPONSE",
      new_status: "QUEUED",
      attempt: 2,
      merged: false,
    }));
    show(<AwaitingCard task={proposed} />);
    const diff = await screen.findByRole("region", { name: "Proposed changes" });
    expect(await within(diff).findByText("return 6", {}, SLOW)).toBeVisible();
    expect(diff.querySelector("[data-diff=unified]")).not.toBeNull();
    expect(screen.queryByRole("textbox")).toBeNull();
    await userEvent.click(apply());
    await waitFor(() => expect(server.sent(APPLIED)[0]?.body).toEqual({ merge: null, attempt: 1 }));
    expect(await screen.findByText("It is being written and verified.")).toBeVisible();
  });

  it("is discarded without a word about changes", async () => {
    const server = world([proposed]).on("POST /api/tasks/t1/discard", () => ({
      success: true,
      task_id: "t1",
      old_status: "AWAITING_RESPONSE",
      new_status: "COMPLETE",
    }));
    show(<AwaitingCard task={proposed} />);
    await userEvent.click(screen.getByRole("button", { name: "Discard" }));
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/discard").map((sent) => sent.body)).toEqual([{ attempt: 1 }]),
    );
    expect(await screen.findByText("Discarded. The files are as they were.")).toBeVisible();
  });

  it("asks before it writes a merge, and names the merge that was seen", async () => {
    const server = world([proposed]).on(APPLIED, () => new Refusal(409, "merge_needed", "Changed since.", MERGE));
    show(<AwaitingCard task={proposed} />);
    await userEvent.click(apply());
    const merged = await screen.findByRole("region", { name: "Merged changes" }, SLOW);
    expect(await within(merged).findByText("return 8", {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Apply the merge" }));
    await waitFor(() => expect(server.sent(APPLIED)[1]?.body).toEqual({ merge: "m1", attempt: 1 }));
    expect(await screen.findByText("The files changed once more; this is the new merge.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Back to the proposal" }));
    expect(screen.getByRole("region", { name: "Proposed changes" })).toBeVisible();
  });

  it("names the files of a merge that is too long to show", async () => {
    world([proposed]).on(
      APPLIED,
      () => new Refusal(409, "merge_needed", "Changed since.", { ...MERGE, truncated: true, patch: "" }),
    );
    show(<AwaitingCard task={proposed} />);
    await userEvent.click(apply());
    expect(await screen.findByText(/too long to show here/, {}, SLOW)).toBeVisible();
  });

  it("says which files stand in the way", async () => {
    world([proposed]).on(
      APPLIED,
      () =>
        new Refusal(409, "proposal_refused", "It cannot be applied.", {
          clashes: [{ path: "fees.py", reason: "both changed the same lines" }],
        }),
    );
    show(<AwaitingCard task={proposed} />);
    await userEvent.click(apply());
    expect(await screen.findByRole("alert")).toHaveTextContent("fees.py both changed the same lines");
    expect(apply()).toBeEnabled();
  });
});
