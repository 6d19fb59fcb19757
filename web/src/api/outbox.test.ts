import { beforeEach, describe, expect, it } from "vitest";
import { FakeServer, Refusal } from "@/test/server";
import { task } from "@/test/fixtures";
import { answerForm, reply, resume } from "./actions";
import { ApiError, OfflineError } from "./errors";
import { useOutbox } from "./outbox";

const box = () => useOutbox.getState();

beforeEach(() => useOutbox.setState({ waiting: [] }));

describe("actions made offline (PLT-2)", () => {
  it("are kept across a reload and sent once, in order, under their own keys", async () => {
    const server = new FakeServer().on("POST /api/a", () => ({})).on("POST /api/b", () => ({}));
    box().add("/api/a", { n: 1 }, "first");
    box().add("/api/b", undefined, "second");
    expect(JSON.parse(localStorage.getItem("pilothouse.outbox") ?? "[]")).toHaveLength(2);
    const [one, two] = await Promise.all([box().flush(), box().flush()]);
    expect(one).toBe(two);
    expect(server.seen.map((request) => request.path)).toEqual(["/api/a", "/api/b"]);
    expect(server.seen[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(box().waiting).toEqual([]);
    expect(localStorage.getItem("pilothouse.outbox")).toBeNull();
  });

  it("wait on while the server is away and keep their key for the next try", async () => {
    const server = new FakeServer().on("POST /api/tasks/t1/reply", () => ({
      success: true,
      task_id: "t1",
      old_status: "AWAITING_RESPONSE",
      new_status: "QUEUED",
    }));
    server.online = false;
    await expect(reply(task({ attempt: 3 }), "yes", "Reply", "d")).resolves.toEqual({ queued: true });
    const key = box().waiting[0]?.key;
    await box().flush();
    expect(box().waiting).toHaveLength(1);
    server.online = true;
    const { sent } = await box().flush();
    expect(sent).toHaveLength(1);
    expect(server.sent("POST /api/tasks/t1/reply")).toEqual([
      { method: "POST", path: "/api/tasks/t1/reply", body: { reply: "yes", attempt: 3 }, key },
    ]);
  });

  it("that are refused later are told, with the words to give back", async () => {
    new FakeServer().on("POST /api/a", () => new Refusal(409, "illegal_transition", "It has moved on."));
    box().add("/api/a", {}, "late", { key: "d", text: "my words" });
    const { refused } = await box().flush();
    expect(refused[0]?.error).toBeInstanceOf(ApiError);
    expect(refused[0]?.waiting.draft).toEqual({ key: "d", text: "my words" });
    expect(box().waiting).toEqual([]);
  });

  it("name the attempt that asked, and give the words back when the task has gone on (RPL-6)", async () => {
    const late = () =>
      new Refusal(409, "conflict", "The task has moved on: this was about attempt 1, and it is now at attempt 2 now.", {
        attempt: 2,
      });
    const server = new FakeServer()
      .on("POST /api/tasks/t1/reply", late)
      .on("POST /api/tasks/t1/answers", late)
      .on("POST /api/tasks/t1/resume", late);
    const answers = [{ question_id: "q1", value: "SQLite" }];
    server.online = false;
    await reply(task({ attempt: 1 }), "the first", "Reply", "d");
    await answerForm(task({ attempt: 1 }), answers, "Answer", { key: "f", text: "filled in" });
    await resume(task({ attempt: 1 }), "rollback", "Rollback & replay");
    server.online = true;
    const { sent, refused } = await box().flush();
    const asked = [
      ...server.sent("POST /api/tasks/t1/reply"),
      ...server.sent("POST /api/tasks/t1/answers"),
      ...server.sent("POST /api/tasks/t1/resume"),
    ];
    expect(asked.map((request) => request.body)).toEqual([
      { reply: "the first", attempt: 1 },
      { answers, attempt: 1 },
      { mode: "rollback", attempt: 1 },
    ]);
    expect(sent).toEqual([]);
    expect(refused.map(({ waiting }) => waiting.draft)).toEqual([
      { key: "d", text: "the first" },
      { key: "f", text: "filled in" },
      null,
    ]);
  });

  it("are kept when the server has an accident", async () => {
    new FakeServer().on("POST /api/a", () => new Refusal(503, "stopping", "later"));
    box().add("/api/a", {}, "x");
    await box().flush();
    expect(box().waiting).toHaveLength(1);
  });

  it("do not hide a refusal that came at once", async () => {
    new FakeServer().on("POST /api/tasks/t1/reply", () => new Refusal(409, "illegal_transition", "Not waiting."));
    await expect(reply(task(), "yes", "Reply", "d")).rejects.toThrow("Not waiting.");
    expect(box().waiting).toEqual([]);
    expect(task().task_id).toBe("t1");
    expect(new OfflineError().name).toBe("OfflineError");
  });
});
