import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sendMessage, steer } from "@/api/actions";
import { continueThread } from "@/api/queries";
import type { Message } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { titleOf } from "@/shared/lib/words";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { Segmented } from "@/shared/ui/segmented";
import { toast } from "@/shared/ui/toast";
import { Composer } from "./composer";
import { ReportNote } from "./report-note";

type Way = "steer" | "queue";

const WAYS: Way[] = ["steer", "queue"];

interface Props {
  projectId: string;
  slug: string;
  title: string;
  /** The task of this session that is at work: a message goes to it, unless the person wants a task of its own. */
  running: string | null;
  /** A task of this session waits for the person: its card has the box for the answer, this one queues another task. */
  waiting: boolean;
}

/** The box under a conversation: what is written here never begins another session. */
export function ThreadComposer({ projectId, slug, title, running, waiting }: Props) {
  const client = useQueryClient();
  const draftKey = draftKeys.session(projectId, slug);
  const [stuck, setStuck] = useDraft(draftKeys.fromStuck(projectId, slug));
  const [way, setWay] = useState<Way>("steer");
  const steered = way === "steer" && stuck === "" ? running : null;

  const queue = async (written: Message) => {
    const message = stuck === "" ? written : { ...written, from_stuck: stuck };
    const label = titleOf(message.text);
    const sent = await sendMessage(projectId, slug, message, label, draftKey);
    if (sent.queued) toast.done(say(t.connection.queued, { label }));
    else continueThread(client, projectId, slug, sent.answer);
    setStuck("");
  };
  const send = async (written: Message) => {
    if (steered === null) return queue(written);
    try {
      await steer(steered, written.text);
    } finally {
      await client.invalidateQueries({ queryKey: ["tasks", projectId, slug] });
    }
  };

  const target =
    steered !== null
      ? { kind: "steer" as const }
      : waiting
        ? { kind: "behind" as const }
        : { kind: "thread" as const, title };
  return (
    <>
      {stuck !== "" && <ReportNote onLeave={() => setStuck("")} />}
      {running !== null && stuck === "" && (
        <div className="mb-2 flex justify-end">
          <Segmented
            label={t.steering.choice}
            value={way}
            options={WAYS.map((value) => ({ value, label: t.steering[value] }))}
            onChange={setWay}
          />
        </div>
      )}
      <Composer
        draftKey={draftKey}
        projectId={projectId}
        target={target}
        onSend={(message) => send(message).then(() => null)}
      />
    </>
  );
}
