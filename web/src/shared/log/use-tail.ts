import { useEffect, useState } from "react";
import { watchOutput } from "@/api/output";
import { outputPage } from "@/api/queries";
import type { StreamOutput } from "@/api/types";

const TAIL_CHARACTERS = 4000;

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
    let over = false;
    const draw = () => {
      text = text.slice(-TAIL_CHARACTERS);
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setLines(text.trim() === "" ? [] : text.trimEnd().split("\n").slice(-count));
      });
    };
    void written(taskId, attempt).then((before) => {
      read = true;
      if (over || before === null) return;
      const since = early.filter((item) => item.offset >= before.end);
      text = before.text + since.map((item) => item.text).join("");
      draw();
    });
    const stop = watchOutput(taskId, (item) => {
      if (item.attempt !== attempt) return;
      if (!read) early.push(item);
      text += item.text;
      draw();
    });
    return () => {
      over = true;
      stop();
      cancelAnimationFrame(frame);
    };
  }, [taskId, attempt, count]);
  return lines;
}
