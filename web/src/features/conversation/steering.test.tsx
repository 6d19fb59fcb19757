import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { draftKeys, readDraft } from "@/shared/lib/draft";
import { AT, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";
import { Steering } from "./steering";

describe("messages on their way (RPL-8)", () => {
  const message = (state: "waiting" | "handed" | "returned" | "delivered") => ({
    message_id: "m1",
    text: "Use tabs",
    state,
    sent_at: AT,
    can_take_back: state !== "delivered",
    can_send_now: state === "waiting" || state === "handed",
  });

  it("can be sent now or taken back into the box", async () => {
    const running = task({ steering: [message("waiting")] });
    const server = world([running]).on("POST /api/tasks/t1/steer/m1", () => message("waiting"));
    show(
      <>
        <Steering task={running} />
        <textarea data-composer aria-label="box" />
      </>,
    );
    expect(screen.getByText("Use tabs")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Send now" }));
    await waitFor(() => expect(server.sent("POST /api/tasks/t1/steer/m1")[0]?.body).toEqual({ action: "now" }));
    await userEvent.click(screen.getByRole("button", { name: "Take back" }));
    await waitFor(() => expect(readDraft(draftKeys.session("p1", "fix"))).toBe("Use tabs"));
    await waitFor(() => expect(screen.getByRole("textbox", { name: "box" })).toHaveFocus());
  });

  it("say once that it is too late to take one back, and what to do instead", async () => {
    const running = task({ steering: [message("handed")] });
    const late = () => new Refusal(409, "conflict", "The agent has this message already.", { state: "handed" });
    const server = world([running]).on("POST /api/tasks/t1/steer/m1", late);
    show(<Steering task={running} />);
    const back = screen.getByRole("button", { name: "Take back" });
    for (const times of [1, 2]) {
      await userEvent.click(back);
      await waitFor(() => expect(server.sent("POST /api/tasks/t1/steer/m1")).toHaveLength(times));
      await waitFor(() => expect(back).toBeEnabled());
    }
    expect(screen.getAllByText("The agent has this message already.")).toHaveLength(1);
    expect(screen.getByText("Send another message to correct it, or cancel the task.")).toBeVisible();
  });

  it("are not offered back where the agent keeps what it was handed", () => {
    show(<Steering task={task({ steering: [{ ...message("handed"), can_take_back: false }] })} />);
    expect(screen.getByRole("button", { name: "Send now" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
  });

  it("are not hurried where they stand in what the agent was asked", () => {
    show(<Steering task={task({ steering: [{ ...message("handed"), can_take_back: false, can_send_now: false }] })} />);
    expect(screen.getByText("Use tabs")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Send now|Take back/ })).toBeNull();
  });

  it("come back into the box of the window in use when the task ended first", async () => {
    const ended = task({ status: "CANCELLED", session_slug: "ended", steering: [message("returned")] });
    const server = world([ended]).on("POST /api/tasks/t1/steer/m1", () => message("returned"));
    document.hasFocus = () => true;
    show(<Steering task={ended} />);
    await waitFor(() => expect(readDraft(draftKeys.session("p1", "ended"))).toBe("Use tabs"));
    expect(server.sent("POST /api/tasks/t1/steer/m1").map((request) => request.body)).toEqual([
      { action: "take_back" },
    ]);
  });

  it("are gone once the agent took them in", () => {
    show(<Steering task={task({ steering: [message("delivered")] })} />);
    expect(screen.queryByText("Use tabs")).toBeNull();
  });
});
