import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { session } from "@/test/fixtures";
import { show } from "@/test/render";
import { world } from "@/test/world";
import Palette from "./palette";

it("opens what was typed, though the server has not answered to it yet (BYD-7)", async () => {
  const sessions = [
    session({ id: "s1", slug: "count", title: "Count it" }),
    session({ id: "s2", slug: "reef", title: "Chart the reef" }),
  ];
  world().on("GET /api/sessions", (_, url) =>
    url.searchParams.get("q") ? new Promise(() => undefined) : { items: sessions, next_cursor: null, counts: {} },
  );
  const onSession = vi.fn();
  show(<Palette onClose={() => undefined} places={[]} actions={[]} onSession={onSession} />);
  expect(await screen.findByRole("option", { name: /Count it/ })).toBeVisible();
  await userEvent.type(screen.getByRole("combobox"), "reef");
  await waitFor(() => expect(screen.queryByRole("option", { name: /Count it/ })).toBeNull());
  await userEvent.keyboard("{Enter}");
  expect(onSession).toHaveBeenCalledWith("p1", "reef");
});
