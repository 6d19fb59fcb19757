import { useEffect, useState } from "react";
import { isYoung, watchOutput } from "@/api/output";
import { outputPage } from "@/api/queries";
import type { StreamOutput } from "@/api/types";

const TAIL_CHARACTERS = 4000;
/** What a young task wrote is read after that, unless its first words come before. */
const SILENT_MS = 500;
const FRAME_MS = 16;

/** The end of what was written before somebody looked; null when it cannot be read, which the lines to come make good. */
async function written(taskId: string, attempt: number): Promise<{ text: string; end: number } | null> {
  try {
    const start = await outputPage(taskId, attempt, 0, TAIL_CHARACTERS);
    const page =
      start.next_offset < start.total
        ? await outputPage(taskId, attempt, start.total - TAIL_CHARACTERS, TAIL_CHARACTERS)
        : start;
    return { text: page.text, end: page.next_offset };
  } catch {
    return null;
  }
}

/** The last lines the agent or a check wrote, as they come. */
export function useTail(taskId: string, attempt: number, count: number): string[] {
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => {
    // A task that has not begun has written nothing, and there is nothing to ask for.
    if (attempt < 1) return;
    let text = "";
    const early: StreamOutput[] = [];
    let read = false;
    let frame = 0;
    let drawn = -FRAME_MS;
    let over = false;
    const put = () => {
      frame = 0;
      drawn = performance.now();
      setLines(text.trim() === "" ? [] : text.trimEnd().split("\n").slice(-count));
    };
    const draw = () => {
      text = text.slice(-TAIL_CHARACTERS);
      if (frame !== 0) return;
      // Words after a silence are waited for: they are not made to wait for a frame.
      if (performance.now() - drawn >= FRAME_MS) put();
      else frame = requestAnimationFrame(put);
    };
    const look = () => {
      waiting = null;
      void written(taskId, attempt).then((before) => {
        read = true;
        if (over || before === null) return;
        text =
          before.text +
          early
            .filter((item) => item.offset >= before.end)
            .map((item) => item.text)
            .join("");
        draw();
      });
    };
    let waiting = isYoung(taskId) ? setTimeout(look, SILENT_MS) : null;
    if (waiting === null) look();
    const stop = watchOutput(taskId, (item) => {
      if (item.attempt !== attempt) return;
      if (waiting !== null) {
        clearTimeout(waiting);
        waiting = null;
        if (item.offset === 0) read = true;
        else look();
      }
      if (!read) early.push(item);
      text += item.text;
      draw();
    });
    return () => {
      over = true;
      if (waiting !== null) clearTimeout(waiting);
      stop();
      cancelAnimationFrame(frame);
    };
  }, [taskId, attempt, count]);
  return lines;
}
