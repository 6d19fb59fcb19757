import { useQueryClient } from "@tanstack/react-query";
import { sendMessage } from "@/api/actions";
import { t } from "@/shared/i18n/t";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { toast } from "@/shared/ui/toast";
import { Composer } from "./composer";
import { FromReport } from "./from-report";

interface Props {
  projectId: string;
  slug: string;
  title: string;

}

/** The box under a conversation: what is written here never begins another session. */
export function ThreadComposer({ projectId, slug, title }: Props) {
  const client = useQueryClient();
  const draftKey = draftKeys.session(projectId, slug);
  const [stuck, setStuck] = useDraft(draftKeys.fromStuck(projectId, slug));
  return (
    <>
      {stuck !== "" && <FromReport onLeave={() => { setStuck(""); }} />}
      <Composer
        draftKey={draftKey}
        projectId={projectId}
        target={{ kind: "thread", title }}
        onSend={async (written) => {
          const message = stuck === "" ? written : { ...written, from_stuck: stuck };
          const label = t.compose.label(message.text);
          const sent = await sendMessage(projectId, slug, message, label, draftKey);
          if (sent.queued) toast.done(t.connection.queued(label));
          else await client.invalidateQueries({ queryKey: ["tasks", projectId, slug] });
          setStuck("");
        }}
      />
    </>
  );
}
