import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { deliverOutput, sentNow } from "@/api/output";
import { task } from "@/test/fixtures";
import { show } from "@/test/render";
import { world } from "@/test/world";
import { useTail } from "./use-tail";

const SLOW = { timeout: 5_000 };

function Tail({ id }: { id: string }) {
  return <p data-testid="tail">{useTail(id, 1, 4).join("|")}</p>;
}

function opened(id: string) {
  const server = world([task({ task_id: id })]);
  show(<Tail id={id} />);
  return { read: () => server.sent(`GET /api/tasks/${id}/output`).length };
}

const says = (id: string, offset: number, text: string) => {
  deliverOutput({ type: "output", task_id: id, attempt: 1, offset, text });
};
const shown = (text: string) =>
  waitFor(() => {
    expect(screen.getByTestId("tail")).toHaveTextContent(text);
  }, SLOW);

describe("the last lines of a task (WEB-9)", () => {
  it("are read of one that runs already", async () => {
    const { read } = opened("old");
    await shown("hello|world");
    expect(read()).toBe(1);
  });

  it("are not read of one that was sent just now, whose first words come by themselves", async () => {
    sentNow("young");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { read } = opened("young");
    says("young", 0, "first\n");
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    await shown("first");
    expect(read()).toBe(0);
  });

  it("are drawn with their first words, and then once a frame", async () => {
    sentNow("quick");
    const { read } = opened("quick");
    const frame = vi.spyOn(window, "requestAnimationFrame");
    act(() => {
      says("quick", 0, "first\n");
    });
    expect(screen.getByTestId("tail")).toHaveTextContent("first");
    expect(frame).not.toHaveBeenCalled();
    act(() => {
      says("quick", 6, "second\n");
      says("quick", 13, "third\n");
    });
    expect(frame).toHaveBeenCalledTimes(1);
    await shown("first|second|third");
    expect(read()).toBe(0);
  });

  it("are read of it too where its first words were missed", async () => {
    sentNow("missed");
    const { read } = opened("missed");
    says("missed", 12, "more\n");
    await shown("hello|world|more");
    expect(read()).toBe(1);
  });

  it("are read of it after a while where nothing comes", async () => {
    sentNow("quiet");
    const { read } = opened("quiet");
    expect(read()).toBe(0);
    await shown("hello|world");
    expect(read()).toBe(1);
  });
});
