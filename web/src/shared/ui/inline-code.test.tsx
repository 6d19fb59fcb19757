import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import { show } from "@/test/render";
import { InlineCode } from "./inline-code";
import { Failure } from "./failure";

describe("code in plain words", () => {
  it("is marked, and a lone backtick stays what it is", () => {
    const { container } = show(
      <p>
        <InlineCode text={"Set `A` and `B C`, not 5` long"} />
      </p>,
      { bare: true },
    );
    expect([...container.querySelectorAll("code")].map((one) => one.textContent)).toEqual(["A", "B C"]);
    expect(container).toHaveTextContent("Set A and B C, not 5` long");
  });

  it("is marked where a page says why it could not be loaded (PLT-9)", () => {
    show(
      <Failure
        error={
          new ApiError(409, "configuration", "`agent.yaml` is broken.", "Run `claude auth login`, then try again.")
        }
      />,
    );
    expect(screen.getByText("agent.yaml", { selector: "code" })).toBeVisible();
    expect(screen.getByText("claude auth login", { selector: "code" })).toBeVisible();
  });
});
