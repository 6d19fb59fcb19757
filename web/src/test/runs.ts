import type { Run } from "@/api/types";
import { AT, later } from "./fixtures";
import type { FakeServer } from "./server";

export const RUN_ID = "0123456789abcdef0123456789abcdef";

export function run(changes: Partial<Run> = {}): Run {
  return {
    run_id: RUN_ID,
    task_id: "t1",
    attempt: 1,
    step_id: "st1",
    purpose: "verify",
    loop: 2,
    started_at: AT,
    finished_at: later(3),
    result: "PASS",
    commit: "abc",
    tree: "def",
    checks: [
      {
        number: 1,
        name: "lint",
        command: "ruff check",
        result: "passed",
        exit_code: 0,
        duration_ms: 400,
        log_path: "/l/1",
        detail: "",
      },
      {
        number: 2,
        name: "tests",
        command: "pytest -q",
        result: "passed",
        exit_code: 0,
        duration_ms: 2000,
        log_path: "/l/2",
        detail: "",
      },
    ],
    first_failing_line: "",
    log_path: "/l/combined",
    kept: false,
    tail: "\u001b[32m3 passed\u001b[0m\n",
    ...changes,
  };
}

export const FAILED = run({
  run_id: "f".repeat(32),
  loop: 1,
  result: "FAIL",
  first_failing_line: "E assert 5 == 6",
  checks: [
    {
      number: 1,
      name: "tests",
      command: "pytest -q",
      result: "failed",
      exit_code: 1,
      duration_ms: 80,
      log_path: "/l/1",
      detail: "",
    },
    {
      number: 2,
      name: "types",
      command: "mypy",
      result: "skipped",
      exit_code: null,
      duration_ms: 0,
      log_path: "",
      detail: "",
    },
  ],
});

export function serve(server: FakeServer, ...runs: Run[]): FakeServer {
  server.on("GET /api/tasks/t1/runs", () => ({ items: runs }));
  for (const one of runs) {
    server
      .on(`GET /api/runs/${one.run_id}`, () => one)
      .on(`GET /api/runs/${one.run_id}/log`, (_, url) => ({
        run_id: one.run_id,
        check: url.searchParams.get("check"),
        offset: 0,
        text: "whole log\n",
        next_offset: 10,
        total: 10,
      }));
  }
  return server;
}
