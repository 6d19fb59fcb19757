import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { AT, state } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { FakeSocket, world } from "@/test/world";

beforeAll(
  fetched(
    () => import("./pages/home"),
    () => import("@/features/palette/palette"),
    () => import("@/features/palette/keys-dialog"),
    () => import("./pages/settings"),
    () => import("./pages/session"),
  ),
);

describe("login (PLT-5)", () => {
  it("is asked for when the server does not know this browser", async () => {
    const server = world()
      .on("GET /api/state", () => new Refusal(401, "unauthorized", "Log in first."))
      .on("POST /api/login", () => new Refusal(401, "wrong_token", "That is not the token."));
    open("/");
    await userEvent.type(await screen.findByLabelText("Token", {}, SLOW), "guess");
    await userEvent.click(screen.getByRole("button", { name: "Log in" }));
    expect(await screen.findByText("That is not the token.")).toBeVisible();
    expect(server.sent("POST /api/login")[0]?.body).toEqual({ token: "guess" });
  });

  it("takes the token from the fragment and clears it", async () => {
    location.hash = "#token=secret";
    const server = world().on("POST /api/login", () => ({ success: true }));
    open("/");
    await waitFor(() => expect(server.sent("POST /api/login")[0]?.body).toEqual({ token: "secret" }));
    expect(location.hash).toBe("");
    expect(await screen.findByRole("navigation", {}, SLOW)).toBeVisible();
  });
});

describe("a server that is away when the page is opened (PLT-2)", () =>
  it("is asked again until it is back, and so is what the page lacks", async () => {
    const server = world([]);
    server.online = false;
    open("/settings");
    await waitFor(() => expect(screen.getAllByText("The server cannot be reached.")).toHaveLength(3), SLOW);
    expect(screen.getByRole("region", { name: "Choices and limits" })).toHaveTextContent("Try again");
    server.online = true;
    await waitFor(() => expect(screen.queryByText("The server cannot be reached.")).toBeNull(), SLOW);
    await waitFor(() => expect(FakeSocket.opened).toHaveLength(1), SLOW);
  }));

describe("notices (PLT-8)", () =>
  it("say what was lost until they are dismissed", async () => {
    const server = world()
      .on("GET /api/state", () => ({
        ...state,
        notices: [
          {
            id: "n1",
            code: "storage_restored",
            message: "The database came back from a backup.",
            details: ["2 events of today"],
            at: AT,
          },
        ],
      }))
      .on("POST /api/notices/n1/dismiss", () => ({ success: true }));
    open("/settings");
    expect(await screen.findByText("The database came back from a backup.", {}, SLOW)).toBeVisible();
    expect(screen.getByText("2 events of today")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Dismiss this notice" }));
    await waitFor(() => expect(server.sent("POST /api/notices/n1/dismiss")).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText("The database came back from a backup.")).toBeNull());
  }));

describe("every screen", () => {
  it("is reached by keys; ? shows them and / finds everything", async () => {
    world();
    const router = open("/settings");
    await screen.findByRole("heading", { name: "Settings" }, SLOW);
    await userEvent.keyboard("?");
    expect(await screen.findByText("Keyboard shortcuts", { selector: "h2" }, SLOW)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.keyboard("/");
    await userEvent.type(await screen.findByRole("combobox", {}, SLOW), "queue{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/queue"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.keyboard("gr");
    await waitFor(() => expect(router.state.location.pathname).toBe("/runner"));
  });

  it("says when the line is down (PLT-2)", async () => {
    world();
    open("/settings");
    await screen.findByText("Connected", {}, SLOW);
    act(() => {
      FakeSocket.opened[0]?.close();
    });
    expect((await screen.findAllByText("Reconnecting")).length).toBeGreaterThan(0);
  });
});
