import { useQuery } from "@tanstack/react-query";
import { Info, X } from "lucide-react";
import { dismissNotice } from "@/api/actions";
import { stateQuery } from "@/api/queries";
import { t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { IconButton } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { Ago } from "@/shared/ui/time";

/** What the person must know about the installation itself, until they say they have read it. */
export function Notices() {
  const state = useQuery(stateQuery);
  const dismissing = useAction(["state"], {
    mutationFn: dismissNotice,
  });
  const notices = (state.data?.notices ?? []).filter(
    (notice) => notice.id !== dismissing.variables || dismissing.isError,
  );
  if (notices.length === 0) return null;
  return (
    <section aria-label={t.notices.title} className="flex flex-col">
      {notices.map((notice) => (
        <div key={notice.id} className="flex items-start gap-3 border-b border-warn-line bg-warn-soft px-4 py-2">
          <Info size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <div className="min-w-0 flex-1">
            <p>
              <strong className="font-medium">
                <InlineCode text={notice.message} />
              </strong>{" "}
              <Ago at={notice.at} className="text-[13px] text-muted" />
            </p>
            {notice.details.length > 0 && (
              <details className="text-[13px]">
                <summary className="cursor-pointer text-muted">{t.notices.lost}</summary>
                <ul className="list-disc pl-5">
                  {notice.details.map((detail) => (
                    <li key={detail}>{detail}</li>
                  ))}
                </ul>
              </details>
            )}
          </div>
          <IconButton label={t.notices.dismiss} onClick={() => dismissing.mutate(notice.id)}>
            <X size={15} aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
