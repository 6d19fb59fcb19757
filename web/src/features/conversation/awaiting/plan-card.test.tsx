import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import type { FormQuestion } from "@/api/types";
import { task } from "@/test/fixtures";
import { fetched } from "@/test/page";
import { show } from "@/test/render";
import { world } from "@/test/world";
import { AwaitingCard } from "./awaiting-card";

const DONE = { success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" };

beforeAll(fetched(() => import("@/shared/ui/markdown-renderer")));

describe("a plan", () =>
  it("is rendered and approved, and can be sent back", async () => {
    const approval: FormQuestion = {
      id: "q9",
      text: "## Plan",
      header: "",
      kind: "confirmation",
      options: [],
      several: false,
    };
    const planned = task({
      status: "AWAITING_RESPONSE",
      awaiting: "question",
      plan: "## The plan\n\n1. Write it",
      question: "## The plan",
      form: [approval],
      actions: ["reply", "resume", "cancel"],
    });
    const server = world([planned]).on("POST /api/tasks/t1/answers", () => DONE);
    show(<AwaitingCard task={planned} />);
    expect(await screen.findByRole("heading", { name: "The plan" })).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Your reply" })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Approve the plan" }));
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/answers")[0]?.body).toEqual({
        answers: [{ question_id: "q9", value: "approve" }],
        attempt: 1,
      }),
    );
  }));
