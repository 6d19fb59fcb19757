import { lazy, Suspense, type ComponentType } from "react";

function Plain({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

// A server that goes away while the renderer is on its way must not take the words with it.
const Rendered = lazy<ComponentType<{ text: string }>>(() =>
  import("./markdown-renderer").catch(() => ({ default: Plain })),
);

/** Markdown, shown as plain text until its renderer has come, in the same place and size. */
export function Markdown({ text, className = "" }: { text: string; className?: string }) {
  return (
    <div className={`prose-ph ${className}`}>
      <Suspense fallback={<Plain text={text} />}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
