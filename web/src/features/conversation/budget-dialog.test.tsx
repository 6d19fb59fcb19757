import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { session } from "@/test/fixtures";
import { show } from "@/test/render";
import { world } from "@/test/world";
import { BudgetDialog, limitOf } from "./budget-dialog";

const one = session({
  budgets: { usd: 5, minutes: null, tokens: 2000 },
  spent: { usd: 1.5, minutes: 12, tokens: 900 },
});
const CHANGED = `PATCH /api/sessions/${one.project_id}/${one.slug}`;

describe("the budget of a session (GRD-8)", () => {
  it("shows what is spent of it, and is changed or lifted", async () => {
    const server = world([]).on(CHANGED, () => one);
    show(<BudgetDialog session={one} onClose={() => undefined} />);
    expect(screen.getByLabelText("Spent so far")).toHaveTextContent("$1.50 of $5.00");
    await userEvent.clear(screen.getByLabelText("Tokens"));
    await userEvent.type(screen.getByLabelText("Minutes"), "30");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(server.sent(CHANGED)[0]?.body).toEqual({ budget_usd: 5, budget_minutes: 30, budget_tokens: null }),
    );
  });

  it("takes no half tokens, no words and nothing below zero", () => {
    expect([limitOf("", "money"), limitOf("2,5", "money"), limitOf("1000", "tokens")]).toEqual([null, 2.5, 1000]);
    expect([limitOf("1.5", "tokens"), limitOf("much", "time"), limitOf("-1", "money"), limitOf("0", "money")]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
