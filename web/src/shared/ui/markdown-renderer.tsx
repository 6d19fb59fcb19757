import Renderer from "markdown-to-jsx/react";
import { memo, type ReactNode } from "react";

function External({ href, children }: { href?: string; children?: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** Pictures from elsewhere are named, not fetched: opening a session must not tell anybody about it. */
function Picture({ alt }: { alt?: string }) {
  return <em>{alt}</em>;
}

const OPTIONS = {
  // Raw HTML in the text is shown, never run.
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: "div",
  overrides: { a: External, img: Picture },
} as const;

export default memo(function Rendered({ text }: { text: string }) {
  return <Renderer options={OPTIONS}>{text}</Renderer>;
});
