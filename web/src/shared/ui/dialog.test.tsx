import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { Dialog } from "./dialog";

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title="Sure?">
          <button type="button">Yes</button>
        </Dialog>
      )}
    </>
  );
}

it("gives the focus back to what opened it (PLT-3)", async () => {
  show(<Opener />);
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  expect(await screen.findByRole("dialog")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Ask" })).toHaveFocus());
});
