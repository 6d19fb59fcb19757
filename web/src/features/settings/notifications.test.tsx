import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Notifications } from "@/api/types";
import { show } from "@/test/render";
import { FakeServer, Refusal } from "@/test/server";
import { NotificationsSection } from "./notifications";

const KEPT: Notifications = {
  kinds: ["question", "finished"],
  browser: true,
  desktop: false,
  desktop_status: { available: false, why_not: "notify-send is not installed.", last: null },
  channels: [{ id: "c1", shown: "ntfy://****@ntfy.sh/", last: null }],
  quiet_from: null,
  quiet_until: null,
  batch_seconds: 5,
};

function section() {
  const server = new FakeServer()
    .on("GET /api/notifications", () => KEPT)
    .on("PUT /api/notifications", () => KEPT)
    .on("POST /api/notifications/test", () => ({ at: "2026-01-02T10:00:00Z", error: "HTTP 403: forbidden" }));
  show(<NotificationsSection />);
  return server;
}

it("PLT-7 sends a test and shows the channel's own error", async () => {
  const server = section();
  await userEvent.click(await screen.findByRole("button", { name: "Send a test" }));
  expect(await screen.findByText("Not delivered: HTTP 403: forbidden")).toBeVisible();
  expect(server.sent("POST /api/notifications/test")[0]?.body).toEqual({ channel: "c1" });
});

it("PLT-7 adds an address and keeps the others by their id, never by what is shown of them", async () => {
  const server = section();
  await userEvent.type(await screen.findByRole("textbox", { name: "Address" }), "json://example.org");
  await userEvent.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => {
    expect(server.sent("PUT /api/notifications")[0]?.body).toMatchObject({
      channels: [{ id: "c1" }, { url: "json://example.org" }],
    });
  });
});

it("PLT-7 saves what a person wants to hear of, and when not", async () => {
  const server = section();
  const kinds = within(await screen.findByRole("group", { name: "What you hear of" }));
  await userEvent.click(kinds.getByRole("checkbox", { name: "Stuck" }));
  await waitFor(() =>
    expect(server.sent("PUT /api/notifications")[0]?.body).toMatchObject({ kinds: ["question", "finished", "stuck"] }),
  );
  await userEvent.click(screen.getByRole("switch", { name: "Quiet hours" }));
  await waitFor(() =>
    expect(server.sent("PUT /api/notifications")[1]?.body).toMatchObject({ quiet_from: "22:00", quiet_until: "07:00" }),
  );
  expect(screen.getByText("Not available: notify-send is not installed.")).toBeVisible();
});

it("PLT-7 says what was wrong with an address, and leaves it to be corrected", async () => {
  const server = section().on(
    "PUT /api/notifications",
    () => new Refusal(400, "invalid_input", "Apprise does not understand this address."),
  );
  const box = await screen.findByRole("textbox", { name: "Address" });
  await userEvent.type(box, "pigeon://loft{Enter}");
  expect(await screen.findByText(/Apprise does not understand/)).toBeVisible();
  expect(box).toHaveValue("pigeon://loft");
  server.on("PUT /api/notifications", () => KEPT);
  await userEvent.type(box, "{Enter}");
  await waitFor(() => expect(box).toHaveValue(""));
});

it("PLT-7 has the seconds written freely, and saves them once they make sense", async () => {
  const server = section().on("PUT /api/notifications", () => ({ ...KEPT, batch_seconds: 60 }));
  const seconds = await screen.findByRole("spinbutton");
  await userEvent.clear(seconds);
  expect(seconds).toHaveValue(null);
  await userEvent.tab();
  expect(seconds).toHaveValue(5);
  await userEvent.clear(seconds);
  await userEvent.type(seconds, "60");
  expect(server.sent("PUT /api/notifications")).toEqual([]);
  await userEvent.tab();
  await waitFor(() => expect(server.sent("PUT /api/notifications")[0]?.body).toMatchObject({ batch_seconds: 60 }));
  expect(screen.getByRole("spinbutton")).toHaveValue(60);
});
