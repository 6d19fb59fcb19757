import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { TextBox } from "./text-box";

const nothing = () => undefined;
const of = (value: string) => (
  <TextBox value={value} onText={nothing} onSend={nothing} limit={100} placeholder="Say it" aria-label="Words" />
);

afterEach(() => {
  vi.restoreAllMocks();
});

it("grows to its limit, scrolls beyond, and is as it began once it is emptied (WEB-9)", () => {
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(60);
  const { again } = show(of("two\nlines"));
  const style = () => {
    const { height: tall, overflowY } = screen.getByLabelText("Words").style;
    return [tall, overflowY];
  };
  expect(style()).toEqual(["60px", "hidden"]);
  height.mockReturnValue(500);
  again(of("many\nlines"));
  expect(style()).toEqual(["100px", "auto"]);
  height.mockReturnValue(44);
  again(of(""));
  expect(style()).toEqual(["44px", "hidden"]);
});
