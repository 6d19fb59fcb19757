import type { Connection } from "@/api/connection";
import type { StreamItem } from "@/api/types";
import { readFrame } from "./frames";

/** What is used of a WebSocket. */
export type Socket = Pick<WebSocket, "send" | "close" | "onopen" | "onmessage" | "onclose">;

export interface Timers {
  set(run: () => void, ms: number): number;
  clear(id: number): void;
}

export interface StreamPorts {
  open(): Socket;
  timers: Timers;
  items(items: StreamItem[]): void;
  connection(state: Connection): void;
  /** The server's log ends before what this page has seen: it was restored from a backup. */
  wentBack(): void;
  /** Called when a connection could not be made, so that a log-out can be told from a lost server. */
  refused(): void;
}

const BACK_OFF_SECONDS = [1, 2, 4, 8, 16];
const LONGEST_SECONDS = 30;
const FAILURES_UNTIL_LOST = 5;
/** The server speaks at least every 30 s; twice that and a bit of silence means the line is dead. */
const SILENCE_MS = 70_000;

/** One socket that comes back by itself and goes on after the last event it has seen. */
export class Stream {
  private socket: Socket | null = null;
  private opened = false;
  /** Attempts that failed since the line was last up, and how often it was lost or refused. */
  private failures = 0;
  private waits = 0;
  private retry: number | null = null;
  private silence: number | null = null;
  private tasks: string[] = [];
  private stopped = true;
  private cursor: number;
  private readonly ports: StreamPorts;

  constructor(ports: StreamPorts, since: number) {
    this.ports = ports;
    this.cursor = since;
  }

  get since(): number {
    return this.cursor;
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.ports.connection("connecting");
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    this.clear();
    this.drop();
  }

  /** The page is visible again or the network is back: no reason to wait for the timer. */
  nudge(): void {
    if (this.stopped || this.socket) return;
    this.clear();
    this.connect();
  }

  /** Whose output is wanted from now on. */
  watch(tasks: string[]): void {
    const wanted = [...new Set(tasks)].sort();
    if (wanted.join() === this.tasks.join()) return;
    this.tasks = wanted;
    if (this.opened) this.subscribe();
  }

  private connect(): void {
    this.retry = null;
    const socket = this.ports.open();
    this.socket = socket;
    socket.onopen = () => {
      this.opened = true;
      this.failures = 0;
      this.waits = 0;
      this.ports.connection("open");
      this.subscribe();
      this.listen();
    };
    socket.onmessage = (message) => {
      this.listen();
      if (typeof message.data !== "string") return;
      const frame = readFrame(message.data);
      const ready = frame.items.find((item) => item.type === "ready");
      if (ready && ready.seq < this.cursor && frame.seq <= this.cursor) this.ports.wentBack();
      this.cursor = Math.max(this.cursor, frame.seq);
      if (frame.items.length > 0) this.ports.items(frame.items);
    };
    socket.onclose = () => this.closed(socket);
  }

  private closed(socket: Socket): void {
    if (socket !== this.socket || this.stopped) return;
    this.socket = null;
    if (!this.opened) {
      this.failures += 1;
      this.ports.refused();
    }
    this.opened = false;
    if (this.silence !== null) this.ports.timers.clear(this.silence);
    const lost = this.failures >= FAILURES_UNTIL_LOST;
    const seconds = lost ? LONGEST_SECONDS : (BACK_OFF_SECONDS[this.waits] ?? LONGEST_SECONDS);
    this.waits += 1;
    this.ports.connection(lost ? "lost" : "reconnecting");
    this.retry = this.ports.timers.set(() => this.connect(), seconds * 1000);
  }

  private subscribe(): void {
    this.socket?.send(JSON.stringify({ subscribe: { since: this.cursor, tasks: this.tasks } }));
  }

  private listen(): void {
    if (this.silence !== null) this.ports.timers.clear(this.silence);
    const socket = this.socket;
    this.silence = this.ports.timers.set(() => {
      socket?.close();
      if (socket) this.closed(socket);
    }, SILENCE_MS);
  }

  private clear(): void {
    if (this.retry !== null) this.ports.timers.clear(this.retry);
    if (this.silence !== null) this.ports.timers.clear(this.silence);
    this.retry = null;
    this.silence = null;
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.opened = false;
    socket?.close();
  }
}
