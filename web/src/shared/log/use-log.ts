import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { watchOutput } from "@/api/output";
import { LogWindow, PAGE_BYTES } from "./window";

export const ROW_PX = 20;

export interface Log {
  window: LogWindow;
  version: number;
  ready: boolean;
  problem: unknown;
  /** Says which rows are on the screen, so that what is missing of them is read. */
  show: (first: number, last: number) => void;
  wasAtEnd: () => boolean;
}

interface Page {
  offset: number;
  next_offset: number;
  text: string;
  total: number;
}

/** Where the text is read from, by byte offset. */
export type ReadPage = (
  id: string,
  attempt: number,
  offset: number,
  limit: number,
  signal?: AbortSignal,
) => Promise<Page>;

/** The output of one attempt or operation, read as far as it is looked at and growing while it runs. */
export function useLog(id: string, attempt: number, readPage: ReadPage, scroller: RefObject<HTMLElement | null>): Log {
  const [window, setWindow] = useState(() => new LogWindow());
  const [version, setVersion] = useState(0);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const reading = useRef(new Set<number>());
  const firstVisible = useRef(0);
  const drawn = useRef(0);
  const atEnd = useRef(false);

  const redraw = useCallback(() => {
    if (drawn.current) return;
    drawn.current = requestAnimationFrame(() => {
      drawn.current = 0;
      setVersion((before) => before + 1);
    });
  }, []);

  const read = useCallback(
    async (log: LogWindow, from: number, bytes: number, signal?: AbortSignal) => {
      if (reading.current.has(from)) return;
      reading.current.add(from);
      try {
        const page = await readPage(id, attempt, from, Math.max(bytes, 1), signal);
        const box = scroller.current;
        // A log that does not fill the screen yet has no end to stay at: it is read from its beginning.
        const scrolls = box !== null && box.scrollHeight > box.clientHeight;
        atEnd.current = scrolls && box.scrollHeight - box.scrollTop - box.clientHeight < 2 * ROW_PX;
        log.grow(page.total);
        const { row, moved } = log.fill(page.offset, page.next_offset, page.text);
        // What grew above the screen must not push away what is being read.
        if (moved !== 0 && row < firstVisible.current && box && !atEnd.current) box.scrollTop += moved * ROW_PX;
        setProblem(null);
        redraw();
      } catch (error) {
        if (!signal?.aborted) setProblem(error);
      } finally {
        reading.current.delete(from);
      }
    },
    [id, attempt, readPage, redraw, scroller],
  );

  useEffect(() => {
    const log = new LogWindow();
    const abort = new AbortController();
    reading.current.clear();
    setWindow(log);
    setReady(false);
    void read(log, 0, PAGE_BYTES, abort.signal).then(() => {
      if (!abort.signal.aborted) setReady(true);
    });
    const stop = watchOutput(id, (item) => {
      if (item.attempt !== attempt) return;
      log.append(item.offset, item.text);
      redraw();
    });
    return () => {
      abort.abort();
      stop();
      if (drawn.current) cancelAnimationFrame(drawn.current);
      drawn.current = 0;
    };
  }, [id, attempt, read, redraw]);

  const show = useCallback(
    (first: number, last: number) => {
      firstVisible.current = first;
      for (const gap of window.gaps(first, last)) void read(window, gap.from, gap.bytes);
    },
    [window, read],
  );

  /** Whether the end was on the screen before rows were counted anew; then it has to be brought back there. */
  const wasAtEnd = useCallback(() => {
    const was = atEnd.current;
    atEnd.current = false;
    return was;
  }, []);

  return { window, version, ready, problem, show, wasAtEnd };
}
