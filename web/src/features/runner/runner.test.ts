import { describe, expect, it } from "vitest";
import type { Operation, OperationOutcome } from "@/api/types";
import { AT, later, runner } from "@/test/fixtures";
import { refusal } from "./controls";
import { phaseState } from "./operation-card";

function restart(outcome: OperationOutcome | null, begun: number): Operation {
  const phases = (["build", "stop", "start"] as const).map((phase, index) => ({
    phase,
    started_at: index < begun ? later(index) : null,
    finished_at: index < begun - 1 || outcome ? later(index + 1) : null,
    note: "",
  }));
  return {
    operation_id: "o1",
    kind: "restart",
    project_id: null,
    started_at: AT,
    finished_at: outcome ? later(3) : null,
    outcome,
    cause: "",
    duration_ms: null,
    phases,
    cancellable: outcome === null && begun === 1,
  };
}

const states = (operation: Operation) => operation.phases.map((_, index) => phaseState(operation, index));

describe("what cannot be asked of the runner says why (WEB-8)", () => {
  it("by its state", () => {
    expect(refusal("run", runner, true, null)).toBe("It is already running.");
    expect(refusal("run", { ...runner, state: "stopped" }, true, null)).toBeNull();
    expect(refusal("stop", { ...runner, state: "stopped" }, true, null)).toBe("It is already stopped.");
    expect(refusal("restart", runner, true, null)).toBeNull();
  });

  it("by what is there to build", () => {
    const installed = { ...runner, build_problem: "There is nothing to build." };
    expect(refusal("build", installed, true, null)).toBe("There is nothing to build.");
    expect(refusal("build", installed, true, "p1")).toBeNull();
    expect(refusal("restart", installed, true, null)).toBeNull();
  });

  it("while another is under way, and without a server", () => {
    const busy = { ...runner, operation: restart(null, 1) };
    for (const kind of ["run", "stop", "build", "restart"] as const)
      expect(refusal(kind, busy, true, null)).toBe("Restart is under way.");
    expect(refusal("build", { ...runner, operation: restart("failed", 1) }, true, null)).toBeNull();
    expect(refusal("restart", runner, false, null)).toBe("The server cannot be reached now.");
  });
});

describe("the phases of an operation (WEB-8)", () => {
  it("show where it is", () => expect(states(restart(null, 2))).toEqual(["done", "running", "waiting"]));

  it("show where it ended", () => {
    expect(states(restart("failed", 1))).toEqual(["failed", "waiting", "waiting"]);
    expect(states(restart("cut_short", 2))).toEqual(["done", "failed", "waiting"]);
    expect(states(restart("done", 3))).toEqual(["done", "done", "done"]);
  });
});
