import { afterEach, beforeEach, expect, it } from "vitest";
import { announce, askPermission, permission } from "./announce";
import type { StreamNotification } from "./types";

class Shown {
  static permission: NotificationPermission = "granted";
  static all: Shown[] = [];
  static requestPermission = (): Promise<NotificationPermission> => Promise.resolve(Shown.permission);
  onclick: (() => void) | null = null;
  readonly title: string;
  readonly options: NotificationOptions;
  constructor(title: string, options: NotificationOptions) {
    this.title = title;
    this.options = options;
    Shown.all.push(this);
  }
  close() {
    return;
  }
}

const ITEM: StreamNotification = {
  type: "notification",
  tag: "t1:question:1",
  title: "Asks you: Fix",
  body: "Which?",
  project_id: "p1",
  session_slug: "fix",
};

function page(hidden: boolean, secure = true) {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  Object.defineProperty(window, "isSecureContext", { configurable: true, value: secure });
}

beforeEach(() => {
  Shown.all = [];
  Shown.permission = "granted";
  Object.defineProperty(window, "Notification", { configurable: true, writable: true, value: Shown });
});
afterEach(() => page(false));

it("PLT-7 tells a person whose page is in the background, once for each thing", () => {
  page(true);
  announce(ITEM);
  expect(Shown.all.map((one) => [one.title, one.options.body, one.options.tag])).toEqual([
    ["Asks you: Fix", "Which?", "t1:question:1"],
  ]);
});

it("PLT-7 keeps quiet on a page in sight, except to try it out", () => {
  page(false);
  announce(ITEM);
  expect(Shown.all).toEqual([]);
  announce({ ...ITEM, tag: "test" });
  expect(Shown.all).toHaveLength(1);
});

it("PLT-7 shows nothing without permission, and says where there can be none", async () => {
  page(true);
  Shown.permission = "denied";
  announce(ITEM);
  expect(Shown.all).toEqual([]);
  expect(await askPermission()).toBe("denied");
  page(true, false);
  expect(permission()).toBe("missing");
  expect(await askPermission()).toBe("missing");
});
