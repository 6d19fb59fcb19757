import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Agent, AgentPreferences, CustomAgent } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Button, IconButton } from "@/shared/ui/button";
import { TextField } from "@/shared/ui/text-field";
import { Section } from "./section";
import type { Save } from "./use-settings";
import { argv, commandLine, listed, shown } from "./one-line";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

interface EditorProps {
  start: CustomAgent | null;
  taken: string[];
  onSave: (agent: CustomAgent) => void;
  onDrop: () => void;
}

function Editor({ start, taken, onSave, onDrop }: EditorProps) {
  const [name, setName] = useState(start?.name ?? "");
  const [label, setLabel] = useState(start?.label ?? "");
  const [command, setCommand] = useState(start ? commandLine(start.command) : "");
  const [env, setEnv] = useState(start ? shown(start.env) : "");
  const [tried, setTried] = useState(false);
  const words = argv(command);
  const faults = {
    name: !NAME.test(name) ? t.custom.faults.name : taken.includes(name) ? t.custom.faults.taken : null,
    command: words === null ? t.custom.faults.quote : (words[0] ?? "").trim() === "" ? t.custom.faults.command : null,
  };
  return (
    <form
      className="grid gap-3 px-4 py-3 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (faults.name === null && faults.command === null && words !== null)
          onSave({ name, label: label.trim(), command: words, env: listed(env) });
      }}
    >
      <TextField label={t.custom.name} value={name} onChange={setName} fault={tried ? faults.name : null} mono />
      <TextField label={t.custom.label} value={label} onChange={setLabel} placeholder={name} />
      <TextField
        label={t.custom.command}
        value={command}
        onChange={setCommand}
        placeholder={t.custom.commandHint}
        fault={tried ? faults.command : null}
        mono
      />
      <TextField label={t.custom.env} value={env} onChange={setEnv} placeholder={t.custom.envHint} mono />
      <div className="flex gap-2 sm:col-span-2">
        <Button type="submit" look="primary">
          {t.custom.save}
        </Button>
        <Button onClick={onDrop}>{t.custom.drop}</Button>
      </div>
    </form>
  );
}

interface Props {
  agents: Agent[];
  stored: AgentPreferences;
  save: Save;
}

/** Agents that only this person has. */
export function CustomAgents({ agents, stored, save }: Props) {
  const [edited, setEdited] = useState<string | null>(null);
  const builtIn = agents.filter((agent) => !agent.custom).map((agent) => agent.name);
  const taken = (own: string) =>
    [...builtIn, ...stored.custom.map((custom) => custom.name)].filter((name) => name !== own);
  const keep = (custom: CustomAgent[]) => save({ agents: { ...stored, custom } }, () => setEdited(null));
  const put = (own: string, agent: CustomAgent) =>
    keep(
      own === "" ? [...stored.custom, agent] : stored.custom.map((custom) => (custom.name === own ? agent : custom)),
    );
  return (
    <Section title={t.custom.title} lead={t.custom.lead}>
      {stored.custom.length === 0 && edited === null && <p className="px-4 py-3 text-muted">{t.custom.none}</p>}
      {stored.custom.map((custom) =>
        edited === custom.name ? (
          <Editor
            key={custom.name}
            start={custom}
            taken={taken(custom.name)}
            onSave={(agent) => put(custom.name, agent)}
            onDrop={() => setEdited(null)}
          />
        ) : (
          <div key={custom.name} className="flex items-center gap-2 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{custom.label === "" ? custom.name : custom.label}</p>
              <p className="font-mono text-[12px] text-faint [overflow-wrap:anywhere]">{commandLine(custom.command)}</p>
            </div>
            <IconButton label={say(t.custom.edit, { name: custom.name })} onClick={() => setEdited(custom.name)}>
              <Pencil size={15} aria-hidden />
            </IconButton>
            <IconButton
              label={say(t.custom.remove, { name: custom.name })}
              onClick={() => keep(stored.custom.filter((one) => one.name !== custom.name))}
            >
              <Trash2 size={15} aria-hidden />
            </IconButton>
          </div>
        ),
      )}
      {edited === "" ? (
        <Editor start={null} taken={taken("")} onSave={(agent) => put("", agent)} onDrop={() => setEdited(null)} />
      ) : (
        <div className="px-4 py-2.5">
          <Button look="quiet" size="sm" icon={<Plus size={14} aria-hidden />} onClick={() => setEdited("")}>
            {t.custom.add}
          </Button>
        </div>
      )}
    </Section>
  );
}
