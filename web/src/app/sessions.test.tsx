import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { draftKeys, writeDraft } from "@/shared/lib/draft";
import { events } from "@/test/events";
import { session } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { FakeSocket, world } from "@/test/world";

const SESSION = "/sessions/p1/fix";

beforeAll(
  fetched(
    () => import("./pages/home"),
    () => import("./pages/session"),
    () => import("./pages/new-chat"),
  ),
);

const say = (...items: unknown[]) => act(() => FakeSocket.say(...items));

describe("the sessions screen", () => {
  it("groups sessions and moves a row when an event says so (TSK-5)", async () => {
    world();
    open("/");
    expect(await screen.findByRole("heading", { name: /^Running/ }, SLOW)).toBeVisible();
    expect(await screen.findByText("2")).toBeVisible();
    await waitFor(() => expect(FakeSocket.opened[0]?.sent).toHaveLength(1));
    say({ type: "event", event: events.asked(11, "Which one?") }, { type: "event", event: events.awaiting(12) });
    expect(await screen.findByRole("heading", { name: /^Needs you/ })).toBeVisible();
    expect(screen.getByText("Asks you")).toBeVisible();
    expect(screen.getByText(/Which one\?/)).toBeVisible();
  });

  it("teaches a new person three things to try, and fills the box with one", async () => {
    world().on("GET /api/sessions", () => ({ items: [], next_cursor: null, counts: {} }));
    const router = open("/");
    await userEvent.click(await screen.findByRole("button", { name: /Fix a failing test/ }, SLOW));
    await waitFor(() => expect(router.state.location.pathname).toBe("/new"));
    expect(await screen.findByDisplayValue("Please fix it", {}, SLOW)).toBeVisible();
    writeDraft(draftKeys.newChat, "");
  });

  it("filters, searches and sorts through the address", async () => {
    const server = world().on("GET /api/sessions", () => ({ items: [session()], next_cursor: null, counts: {} }));
    const router = open("/");
    await userEvent.type(await screen.findByRole("searchbox", {}, SLOW), "fee");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "created");
    await waitFor(() => expect(router.state.location.search).toMatchObject({ q: "fee", sort: "created" }));
    expect(server.sent("GET /api/sessions").length).toBeGreaterThan(1);
  });
});

describe("a session's menu", () =>
  it("renames, archives and deletes after asking", async () => {
    const server = world().on("POST /api/sessions/p1/fix/delete", () => session({ deleted: true }));
    const router = open(SESSION);
    const menu = async (item: string) => {
      await userEvent.click(await screen.findByRole("button", { name: "More actions" }, SLOW));
      await userEvent.click(await screen.findByRole("menuitem", { name: item }));
    };
    await menu("Rename");
    await userEvent.clear(await screen.findByRole("textbox", { name: "Title" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "New name{Enter}");
    await waitFor(() => expect(server.sent("PATCH /api/sessions/p1/fix")[0]?.body).toEqual({ title: "New name" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await menu("Archive");
    await waitFor(() => expect(server.sent("PATCH /api/sessions/p1/fix")[1]?.body).toEqual({ archived: true }));
    await menu("Delete");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  }));
