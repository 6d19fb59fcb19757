import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { deliverOutput } from "@/api/output";
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

const says = (id: string, offset: number, text: string) =>
  deliverOutput({ type: "output", task_id: id, attempt: 1, offset, text });
const shown = (text: string) => waitFor(() => expect(screen.getByTestId("tail")).toHaveTextContent(text), SLOW);

describe("the last lines of a task (WEB-9)", () => {
  it("are read of one that runs already", async () => {
    const { read } = opened("old");
    await shown("hello|world");
    expect(read()).toBe(1);
  });

  it("go on with what comes while they are read, and are drawn once a frame", async () => {
    opened("busy");
    const frame = vi.spyOn(window, "requestAnimationFrame");
    act(() => {
      says("busy", 6, "world\n");
      says("busy", 12, "more\n");
    });
    expect(frame).toHaveBeenCalledTimes(1);
    await shown("hello|world|more");
  });
});
