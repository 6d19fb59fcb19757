import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Moved } from "@/api/types";
import { preview } from "@/test/fixtures";
import { show } from "@/test/render";
import { FakeServer } from "@/test/server";
import { MovedSince } from "./moved-refs";

const LOOK = "GET /api/tasks/t1/rollback-preview";
const BRING = "POST /api/tasks/t1/bring-back";
const dropped: Moved = { kind: "branch", name: "idea", then: "abc1234def", now: null };
const stash: Moved = { kind: "stash", name: "half of it", then: "fff0000aaa", now: null };

it("lists what was moved or dropped, and brings one back (BYD-3)", async () => {
  let moved = [dropped, stash];
  const server = new FakeServer()
    .on(LOOK, () => ({ ...preview, moved }))
    .on(BRING, () => {
      moved = [stash];
      return { success: true, brought_back: dropped };
    });
  show(<MovedSince taskId="t1" />);
  expect(await screen.findByText("was abc1234, is gone")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Bring back: Branch idea" }));
  await waitFor(() =>
    expect(server.sent(BRING)[0]?.body).toEqual({ kind: "branch", name: "idea", then: "abc1234def" }),
  );
  await waitFor(() => expect(screen.queryByRole("button", { name: "Bring back: Branch idea" })).toBeNull());
  expect(screen.getByRole("button", { name: /half of it/ })).toBeEnabled();
});
