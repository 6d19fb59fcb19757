type Answer = unknown;
type Handler = (body: unknown, url: URL) => Answer;

export interface Seen {
  method: string;
  path: string;
  body: unknown;
  key: string | null;
}

export class Refusal {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, error: string, message: string, details: Record<string, unknown> = {}) {
    this.status = status;
    this.body = { error, message, next_action: "Do something else.", details };
  }
}

/** A server in the page's own process: answers by method and path, remembers what it was asked, and can be unplugged. */
export class FakeServer {
  readonly seen: Seen[] = [];
  readonly routes = new Map<string, Handler>();
  online = true;

  constructor() {
    globalThis.fetch = (input, init) =>
      this.answer(input instanceof Request ? input : new Request(new URL(String(input), location.origin), init));
  }

  on(route: string, handler: Handler): this {
    this.routes.set(route, handler);
    return this;
  }

  sent(route: string): Seen[] {
    return this.seen.filter((request) => `${request.method} ${request.path}` === route);
  }

  private async answer(request: Request): Promise<Response> {
    if (!this.online) throw new TypeError("Failed to fetch");
    const url = new URL(request.url);
    const text = await request.text();
    const body: unknown = text ? JSON.parse(text) : null;
    this.seen.push({ method: request.method, path: url.pathname, body, key: request.headers.get("Idempotency-Key") });
    const handler = this.routes.get(`${request.method} ${url.pathname}`);
    const answer = handler
      ? await handler(body, url)
      : new Refusal(404, "not_found", `nothing at ${request.method} ${url.pathname}`);
    if (answer instanceof Refusal) return Response.json(answer.body, { status: answer.status });
    return Response.json(answer);
  }
}
