import { memo } from "react";
import Renderer from "react-markdown";
import gfm from "remark-gfm";

const PLUGINS = [gfm];

/** Raw HTML in the text is shown, never run; pictures from elsewhere are not fetched. */
export default memo(function Rendered({ text }: { text: string }) {
  return (
    <Renderer
      remarkPlugins={PLUGINS}
      disallowedElements={["img"]}
      components={{
        a: ({ children, href }) => (
          <a href={href} target="_blank" rel="noreferrer noopener">
            {children}
          </a>
        ),
      }}
    >
      {text}
    </Renderer>
  );
});
