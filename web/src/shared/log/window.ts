/** A stretch of the output by its byte offsets; its lines are null while it is not in memory. */
interface Segment {
  from: number;
  to: number;
  lines: string[] | null;
  /** How many lines it has: exact once it was read, estimated before. */
  count: number;
  /** Whether its last line goes on in the next stretch. */
  open: boolean;
  /** When it was last looked at, for letting go of the oldest. */
  seen: number;
}

export interface Gap {
  from: number;
  bytes: number;
}

export const PAGE_BYTES = 65_536;
const KEPT_SEGMENTS = 48;
const LONGEST_LINE = 4000;
const USUAL_LINE_BYTES = 60;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text after its first `bytes` bytes. */
function after(text: string, bytes: number): string {
  return bytes <= 0 ? text : decoder.decode(encoder.encode(text).slice(bytes));
}

function parsed(text: string): { lines: string[]; open: boolean } {
  const lines = text.split("\n");
  const open = lines.at(-1) !== "";
  if (!open) lines.pop();
  return { lines, open };
}

/**
 * The output of one attempt as rows, of which only what is looked at is in memory. Unread stretches take up as many
 * rows as they probably have, so the scroll bar is honest from the first moment; reading one corrects it.
 */
export class LogWindow {
  private segments: Segment[] = [];
  private starts: number[] = [];
  private rowCount = 0;
  private clock = 0;
  total = 0;

  get rows(): number {
    return this.rowCount;
  }

  get loadedSegments(): number {
    return this.segments.filter((segment) => segment.lines !== null).length;
  }

  /** Whether every row is known, so that the count of rows is the count of lines. */
  get exact(): boolean {
    return this.segments.every((segment) => segment.lines !== null || segment.seen > 0);
  }

  /** The output is `total` bytes long by now. */
  grow(total: number): void {
    if (total <= this.total) return;
    this.addUnread(this.total, total);
    this.total = total;
    this.count();
  }

  /** A page as it was read. Returns by how many rows everything from `row` on has moved. */
  fill(from: number, to: number, text: string): { row: number; moved: number } {
    this.grow(to);
    const index = this.segments.findIndex(
      (segment) => segment.lines === null && segment.from < Math.max(to, from + 1) && segment.to > from,
    );
    const target = this.segments[index];
    if (!target) return { row: 0, moved: 0 };
    const row = this.starts[index] ?? 0;
    const before = this.rowCount;
    const start = Math.max(from, target.from);
    // Nothing came although something is there: holding on to the gap would ask for it for ever.
    const end = to > start ? to : target.to;
    const made: Segment[] = [];
    if (start > target.from) made.push(this.unread(target.from, start));
    const { lines, open } = parsed(after(text, start - from));
    this.clock += 1;
    made.push({ from: start, to: end, lines, count: lines.length, open, seen: this.clock });
    let next = index + 1;
    if (end < target.to) {
      made.push(this.unread(end, target.to));
    } else {
      for (
        let other = this.segments[next];
        other && other.lines === null && other.from < end;
        other = this.segments[next]
      ) {
        if (other.to > end) {
          made.push(this.unread(end, other.to));
        }
        next += 1;
      }
    }
    const first = this.segments.every((segment) => segment.seen === 0);
    this.segments.splice(index, next - index, ...made);
    // The first page shows how long lines are here; what was guessed before it is guessed again.
    if (first)
      this.segments = this.segments.map((segment) =>
        segment.seen === 0 ? this.unread(segment.from, segment.to) : segment,
      );
    this.letGo();
    this.count();
    return { row, moved: this.rowCount - before };
  }

  /** Live text. What is already there is passed over; what was missed in between becomes a gap to be read. */
  append(offset: number, text: string): void {
    const bytes = encoder.encode(text).length;
    const end = offset + bytes;
    if (end <= this.total) return;
    if (offset > this.total) this.grow(offset);
    const fresh = after(text, this.total - offset);
    const last = this.segments.at(-1);
    if (last?.lines && last.to - last.from < PAGE_BYTES) {
      const { lines, open } = parsed(fresh);
      if (last.open) {
        const first = lines.shift() ?? "";
        last.lines[last.lines.length - 1] = (last.lines.at(-1) ?? "") + first;
      }
      for (const line of lines) last.lines.push(line);
      last.open = open;
      last.to = end;
      last.count = last.lines.length;
    } else {
      const { lines, open } = parsed(fresh);
      this.clock += 1;
      this.segments.push({ from: this.total, to: end, lines, count: lines.length, open, seen: this.clock });
      this.letGo();
    }
    this.total = end;
    this.count();
  }

  /** The text of a row, or null while its stretch is not in memory. */
  line(row: number): string | null {
    const index = this.find(row);
    const segment = this.segments[index];
    if (!segment?.lines) return null;
    const place = row - (this.starts[index] ?? 0) + this.skipped(index);
    const text = segment.lines[place];
    if (text === undefined) return "";
    return place === segment.lines.length - 1 && segment.open ? this.joined(text, index) : text;
  }

  /** What has to be read before the rows from `first` to `last` can be shown. */
  gaps(first: number, last: number): Gap[] {
    const found: Gap[] = [];
    for (let index = this.find(first); index < this.segments.length; index += 1) {
      if ((this.starts[index] ?? 0) > last) break;
      const segment = this.segments[index];
      if (!segment) break;
      this.clock += 1;
      segment.seen = segment.lines === null ? segment.seen : this.clock;
      if (segment.lines === null) found.push({ from: segment.from, bytes: segment.to - segment.from });
    }
    return found;
  }

  /** Everything in memory, in order. */
  text(): { text: string; lines: number } {
    const lines: string[] = [];
    for (let row = 0; row < this.rowCount; row += 1) {
      const index = this.find(row);
      const segment = this.segments[index];
      if (!segment?.lines) {
        row = (this.starts[index + 1] ?? this.rowCount) - 1;
        continue;
      }
      lines.push(this.line(row) ?? "");
    }
    return { text: lines.join("\n"), lines: lines.length };
  }

  private joined(text: string, index: number): string {
    let whole = text;
    for (let next = index + 1; next < this.segments.length && whole.length < LONGEST_LINE; next += 1) {
      const segment = this.segments[next];
      if (!segment?.lines) break;
      whole += segment.lines[0] ?? "";
      if (segment.lines.length > 1 || !segment.open) break;
    }
    return whole;
  }

  /** 1 when the first line of a stretch is the rest of the line before it. */
  private skipped(index: number): number {
    return this.segments[index - 1]?.open && (this.segments[index]?.count ?? 0) > 0 ? 1 : 0;
  }

  private unread(from: number, to: number): Segment {
    const read = this.segments.filter((segment) => segment.seen > 0);
    const bytes = read.reduce((sum, segment) => sum + segment.to - segment.from, 0);
    const lines = read.reduce((sum, segment) => sum + segment.count, 0);
    const each = lines > 0 ? bytes / lines : USUAL_LINE_BYTES;
    return { from, to, lines: null, count: Math.max(1, Math.round((to - from) / each)), open: false, seen: 0 };
  }

  private addUnread(from: number, to: number): void {
    for (let start = from; start < to; start += PAGE_BYTES)
      this.segments.push(this.unread(start, Math.min(start + PAGE_BYTES, to)));
  }

  private letGo(): void {
    // The end stays: live text is joined to it.
    const newest = this.segments.at(-1);
    const loaded = this.segments.filter((segment) => segment.lines !== null && segment !== newest);
    if (loaded.length < KEPT_SEGMENTS) return;
    loaded.sort((one, other) => one.seen - other.seen);
    for (const segment of loaded.slice(0, loaded.length - KEPT_SEGMENTS + 1)) segment.lines = null;
  }

  private count(): void {
    this.starts = [];
    let row = 0;
    for (let index = 0; index < this.segments.length; index += 1) {
      this.starts.push(row);
      row += (this.segments[index]?.count ?? 0) - this.skipped(index);
    }
    this.rowCount = row;
  }

  private find(row: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    // A stretch without rows of its own shares its start with the next; the one before holds the row.
    while (
      low > 0 &&
      this.starts[low] === this.starts[low - 1] &&
      (this.segments[low]?.count ?? 0) - this.skipped(low) === 0
    )
      low -= 1;
    return Math.max(0, low);
  }
}
