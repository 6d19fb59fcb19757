import { lazy, Suspense } from "react";

const Rendered = lazy(() => import("./markdown-rendered"));

/** Markdown, shown as plain text until its renderer has come, in the same place and size. */
export function Markdown({ text, className = "" }: { text: string; className?: string }) {
  return (
    <div className={`prose-ph ${className}`}>
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
