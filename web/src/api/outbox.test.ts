import { beforeEach, describe, expect, it } from "vitest";
import { FakeServer, Refusal } from "@/test/server";
import { task } from "@/test/fixtures";
import { reply } from "./actions";
import { ApiError, OfflineError } from "./errors";
import { useOutbox } from "./outbox";

const box = () => useOutbox.getState();

beforeEach(() => { useOutbox.setState({ waiting: [] }); });

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
    const server = new FakeServer().on("POST /api/tasks/t1/reply", () => ({ success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" }));
    server.online = false;
    await expect(reply("t1", "yes", "Reply", "d")).resolves.toEqual({ queued: true });
    const key = box().waiting[0]?.key;
    await box().flush();
    expect(box().waiting).toHaveLength(1);
    server.online = true;
    const { sent } = await box().flush();
    expect(sent).toHaveLength(1);
    expect(server.sent("POST /api/tasks/t1/reply")).toEqual([{ method: "POST", path: "/api/tasks/t1/reply", body: { reply: "yes" }, key }]);
  });

  it("that are refused later are told, with the words to give back", async () => {
    new FakeServer().on("POST /api/a", () => new Refusal(409, "illegal_transition", "It has moved on."));
    box().add("/api/a", {}, "late", { key: "d", text: "my words" });
    const { refused } = await box().flush();
    expect(refused[0]?.error).toBeInstanceOf(ApiError);
    expect(refused[0]?.waiting.draft).toEqual({ key: "d", text: "my words" });
    expect(box().waiting).toEqual([]);
  });

  it("are kept when the server has an accident", async () => {
    new FakeServer().on("POST /api/a", () => new Refusal(503, "stopping", "later"));
    box().add("/api/a", {}, "x");
    await box().flush();
    expect(box().waiting).toHaveLength(1);
  });

  it("do not hide a refusal that came at once", async () => {
    new FakeServer().on("POST /api/tasks/t1/reply", () => new Refusal(409, "illegal_transition", "Not waiting."));
    await expect(reply("t1", "yes", "Reply", "d")).rejects.toThrow("Not waiting.");
    expect(box().waiting).toEqual([]);
    expect(task().task_id).toBe("t1");
    expect(new OfflineError().name).toBe("OfflineError");
  });
});
