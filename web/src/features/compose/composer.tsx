import { useQuery } from "@tanstack/react-query";
import { ArrowUp, CornerDownRight, Navigation, SlidersHorizontal, SquarePen } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { ApiError } from "@/api/errors";
import { agentsQuery } from "@/api/queries";
import type { Message } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { draftKeys, useDraft } from "@/shared/lib/draft";
import { useDelayed } from "@/shared/lib/delay";
import { Button } from "@/shared/ui/button";
import { TextBox } from "@/shared/ui/text-box";
import { Select } from "@/shared/ui/select";
import { toast } from "@/shared/ui/toast";
import { afterSending, changedOptions, messageOf, readOptions, writtenOptions, type Options } from "./message";
import { OptionChips } from "./option-chips";
import { OptionsPanel } from "./options-panel";
import { RefusalNote } from "./refusal";

/** What the person can set right here, so it is said here. */
const REFUSALS = new Set([400, 409, 413, 422]);

interface Props {
  draftKey: string;
  /** Whether a message goes on with a thread or begins one; always said beside the box. */
  target:
    | { kind: "thread"; title: string }
    | { kind: "behind" }
    | { kind: "steer" }
    | { kind: "new"; project: string | null };
  projectId: string | null;
  /**
   * Ends when the words are on their way and no draft any more; what it throws is shown here, and they stay.
   * Where another page will show them, they stay in sight until it does.
   */
  onSend: (message: Message) => Promise<{ shown: Promise<void> } | null>;
  blocked?: string | null;
  tall?: boolean;
}

function wordsOf(target: Props["target"]): string {
  switch (target.kind) {
    case "thread":
      return say(t.compose.continuesTitle, { title: target.title });
    case "behind":
      return t.compose.behind;
    case "steer":
      return t.steering.target;
    case "new":
      return target.project ? say(t.compose.newThreadIn, { project: target.project }) : t.compose.newThread;
  }
}

function Target({ target, id }: { target: Props["target"]; id: string }) {
  const Icon = target.kind === "new" ? SquarePen : target.kind === "steer" ? Navigation : CornerDownRight;
  const text = wordsOf(target);
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
  return [useMemo(() => readOptions(kept), [kept]), (options) => keep(writtenOptions(options))];
}

const PLACEHOLDERS = {
  new: t.compose.placeholderNew,
  steer: t.steering.placeholder,
  thread: t.compose.placeholder,
  behind: t.compose.placeholderBehind,
};

interface SettingsProps {
  options: Options;
  onChange: (options: Options) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** Who does it and how; a message to a task that runs has none of this. */
function Settings({ options, onChange, open, onOpen }: SettingsProps) {
  const agents = useQuery(agentsQuery);
  const changed = changedOptions(options);
  return (
    <>
      <Button
        look="quiet"
        size="sm"
        aria-expanded={open}
        icon={<SlidersHorizontal size={14} aria-hidden />}
        onClick={() => onOpen(!open)}
      >
        {changed > 0 ? `${t.compose.options} · ${changed}` : t.compose.options}
      </Button>
      <Select
        label={t.compose.agent}
        value={options.agent}
        options={[
          { value: "", label: t.compose.agentDefault },
          ...(agents.data?.items
            .filter((agent) => agent.installed || agent.name === options.agent)
            .map((agent) => ({
              value: agent.name,
              label: agent.ready
                ? agent.label
                : say(t.compose.agentMissing, { label: agent.label, problem: agent.problem }),
              disabled: !agent.ready,
            })) ?? []),
        ]}
        onChange={(agent) => onChange({ ...options, agent, model: "", effort: "" })}
        className="h-7 max-w-44! border-transparent bg-transparent text-[13px] text-muted"
      />
      <OptionChips options={options} onChange={onChange} />
    </>
  );
}

export function Composer({ draftKey, target, projectId, onSend, blocked = null, tall = false }: Props) {
  const [written, setText] = useDraft(draftKey);
  const [chosen, setOptions] = useOptions(draftKey);
  const [sent, setSent] = useState<{ text: string; options: Options } | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const [showsOptions, setShowsOptions] = useState(false);
  const agents = useQuery(agentsQuery).data?.items ?? [];
  const id = useId();
  const { text, options } = sent ?? { text: written, options: chosen };
  const sending = sent !== null;
  const waits = useDelayed(sending);
  const empty = text.trim() === "";

  // What is on its way went with the options it had.
  const change = (next: Options) => {
    if (!sending) setOptions(next);
  };

  const send = async () => {
    if (empty || sending || blocked !== null) return;
    setSent({ text, options });
    setRefused(null);
    try {
      const onTheWay = await onSend(messageOf(text, options));
      setText("");
      setOptions(target.kind === "steer" ? options : afterSending(options, target.kind !== "new"));
      await onTheWay?.shown;
      setShowsOptions(false);
    } catch (error) {
      if (error instanceof ApiError && REFUSALS.has(error.status)) setRefused(error);
      else toast.error(error);
    } finally {
      setSent(null);
    }
  };

  return (
    <form
      className="card @container shadow-card focus-within:border-accent"
      aria-describedby={`${id}-target`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextBox
        id={`${id}-text`}
        data-composer
        value={text}
        onText={setText}
        onSend={() => void send()}
        readOnly={sending}
        aria-label={t.compose.text}
        aria-describedby={`${id}-target`}
        placeholder={PLACEHOLDERS[target.kind]}
        title={t.compose.hint}
        limit={tall ? 360 : 220}
        className={`px-3.5 pt-3 pb-2 ${tall ? "min-h-28" : "min-h-11"} ${waits ? "opacity-60" : ""}`}
      />
      {showsOptions && target.kind !== "steer" && (
        <fieldset disabled={waits} className="contents">
          <OptionsPanel options={options} agents={agents} onChange={change} />
        </fieldset>
      )}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-2 pb-2">
        {target.kind !== "steer" && (
          <fieldset disabled={waits} className="contents">
            <Settings options={options} onChange={change} open={showsOptions} onOpen={setShowsOptions} />
          </fieldset>
        )}
        <span className="min-w-0 flex-1 @max-xl:order-first @max-xl:basis-full @max-xl:px-1.5">
          <Target target={target} id={`${id}-target`} />
        </span>
        <Button
          type="submit"
          look="primary"
          size="sm"
          className="ml-auto"
          disabled={empty || waits || blocked !== null}
          title={blocked ?? t.compose.hint}
          icon={<ArrowUp size={14} aria-hidden />}
        >
          {waits ? t.compose.sending : target.kind === "new" ? t.compose.start : t.compose.send}
        </Button>
      </div>
      {refused !== null && <RefusalNote error={refused} projectId={projectId} onDismiss={() => setRefused(null)} />}
      {blocked !== null && <p className="border-t border-line px-3.5 py-2 text-[13px] text-warn">{blocked}</p>}
    </form>
  );
}
