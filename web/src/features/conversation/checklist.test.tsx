import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Checklist } from "./checklist";
import { callWords } from "@/events/workbench";

it("BYD-13 shows the agent's plan with what is done, not by colour alone", () => {
  show(
    <Checklist
      task={task({
        checklist: [
          { title: "Look", done: true, note: "Nothing in the way" },
          { title: "Change", done: false, note: "" },
        ],
      })}
    />,
    { bare: true },
  );
  expect(screen.getByText("1 of 2 done")).toBeVisible();
  const [first, second] = screen.getAllByRole("listitem");
  expect(first).toHaveTextContent("Look (done)Nothing in the way");
  expect(second).toHaveTextContent("Change (still to do)");
});

it("BYD-13 says in words what an agent told through the tools", () => {
  expect(callWords("plan", { steps: ["a", "b"] })).toBe("Made a plan of 2 steps");
  expect(callWords("step_done", { step: 2, note: "green" })).toBe("Step 2 of the plan is done: green");
  expect(callWords("decide", { questions: [{ text: "Which?" }, { text: "When?" }] })).toBe(
    "Asks you to decide: Which? When?",
  );
  expect(callWords("blocked", { reason: "No key" })).toBe("Cannot continue: No key");
  expect(callWords("status", { text: "Testing" })).toBe("");
  expect(callWords("dance", {})).toBe("Used dance");
});
