import { useQuery } from "@tanstack/react-query";
import { ArrowUp, CornerDownRight, SlidersHorizontal, SquarePen } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { ApiError } from "@/api/errors";
import { agentsQuery } from "@/api/queries";
import type { Message } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { Button } from "@/shared/ui/button";
import { Growing } from "@/shared/ui/growing";
import { Select } from "@/shared/ui/select";
import { toast } from "@/shared/ui/toast";
import { afterSending, changedOptions, messageOf, readOptions, writtenOptions, type Options } from "./message";
import { Modes } from "./modes";
import { OptionsPanel } from "./options-panel";
import { Refused } from "./refused";

interface Props {
  draftKey: string;
  /** Whether a message goes on with a thread or begins one; always said beside the box. */
  target: { kind: "thread"; title: string } | { kind: "new"; project: string | null };
  projectId: string | null;
  /** Ends when the words are on their way and the box may be emptied; what it throws is shown here, and they stay. */
  onSend: (message: Message) => Promise<void>;
  blocked?: string | null;
  tall?: boolean;
}

function Target({ target, id }: { target: Props["target"]; id: string }) {
  const isNew = target.kind === "new";
  const Icon = isNew ? SquarePen : CornerDownRight;
  const text = target.kind === "thread" ? t.compose.continuesTitle(target.title) : target.project ? t.compose.newThreadIn(target.project) : t.compose.newThread;
  return (
    <p id={id} className="flex min-w-0 items-center gap-1.5 text-[13px] text-muted">
      <Icon size={14} aria-hidden className="shrink-0 text-accent" />
      <span className="truncate">{text}</span>
    </p>
  );
}

/** The options of a draft, kept with it. */
function useOptions(draftKey: string): [Options, (options: Options) => void] {
  const [kept, keep] = useDraft(draftKeys.options(draftKey));
  return [useMemo(() => readOptions(kept), [kept]), (options) => { keep(writtenOptions(options)); }];
}

export function Composer({ draftKey, target, projectId, onSend, blocked = null, tall = false }: Props) {
  const [text, setText] = useDraft(draftKey);
  const [options, setOptions] = useOptions(draftKey);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const [showsOptions, setShowsOptions] = useState(false);
  const [sending, setSending] = useState(false);
  const agents = useQuery(agentsQuery);
  const id = useId();
  const empty = text.trim() === "";
  const changed = changedOptions(options);

  const send = async () => {
    if (empty || sending || blocked !== null) return;
    setSending(true);
    setRefused(null);
    try {
      await onSend(messageOf(text, options));
      setText("");
      setOptions(afterSending(options, target.kind === "thread"));
      setShowsOptions(false);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setRefused(error);
      else toast.error(error);
    } finally {
      setSending(false);
    }
  };

  return (
    <form
      className="card shadow-card focus-within:border-accent"
      aria-describedby={`${id}-target`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Growing
        id={`${id}-text`}
        data-composer
        value={text}
        onText={setText}
        onSend={() => void send()}
        readOnly={sending}
        aria-label={t.compose.text}
        aria-describedby={`${id}-target`}
        placeholder={target.kind === "new" ? t.compose.placeholderNew : t.compose.placeholder}
        title={t.compose.hint}
        limit={tall ? 360 : 220}
        className={`px-3.5 pt-3 pb-2 ${tall ? "min-h-28" : "min-h-11"} ${sending ? "opacity-60" : ""}`}
      />
      {showsOptions && <OptionsPanel options={options} agents={agents.data?.items ?? []} onChange={setOptions} />}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-2 pb-2">
        <Button look="quiet" size="sm" aria-expanded={showsOptions} icon={<SlidersHorizontal size={14} aria-hidden />} onClick={() => { setShowsOptions(!showsOptions); }}>
          {changed > 0 ? `${t.compose.options} · ${changed}` : t.compose.options}
        </Button>
        <Select
          label={t.compose.agent}
          value={options.agent}
          options={[
            { value: "", label: t.compose.agentDefault },
            ...(agents.data?.items.filter((agent) => agent.installed || agent.name === options.agent).map((agent) => ({
              value: agent.name,
              label: agent.ready ? agent.label : t.compose.agentMissing(agent.label, agent.problem),
              disabled: !agent.ready,
            })) ?? []),
          ]}
          onChange={(agent) => { setOptions({ ...options, agent, model: "", effort: "" }); }}
          className="h-7 max-w-44 border-transparent bg-transparent text-[13px] text-muted"
        />
        <Modes options={options} onChange={setOptions} />
        <span className="min-w-0 flex-1 max-sm:order-first max-sm:basis-full max-sm:px-1.5">
          <Target target={target} id={`${id}-target`} />
        </span>
        <Button type="submit" look="primary" size="sm" className="ml-auto" disabled={empty || sending || blocked !== null} title={blocked ?? t.compose.hint} icon={<ArrowUp size={14} aria-hidden />}>
          {sending ? t.compose.sending : target.kind === "new" ? t.compose.start : t.compose.send}
        </Button>
      </div>
      {refused !== null && <Refused error={refused} projectId={projectId} onDismiss={() => { setRefused(null); }} />}
      {blocked !== null && <p className="border-t border-line px-3.5 py-2 text-[13px] text-warn">{blocked}</p>}
    </form>
  );
}
