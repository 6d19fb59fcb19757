import { useState } from "react";
import type { Agent, AgentPreferences, Wish } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { Select } from "@/shared/ui/select";
import { TextField } from "@/shared/ui/text-field";
import { Section, Setting } from "./section";
import type { Save } from "./use-settings";
import { listed, shown } from "./one-line";

interface Props {
  agents: Agent[];
  stored: AgentPreferences;
  save: Save;
}

const ROLES = ["editor", "scout", "small"] as const;
type RoleName = (typeof ROLES)[number];

/** Those that could work, and the one that is set, also when it no longer could. */
const offered = (agents: Agent[], set: string | null) =>
  agents
    .filter((agent) => agent.installed || agent.name === set)
    .map((agent) => ({
      value: agent.name,
      label: agent.ready ? agent.label : say(t.agents.labelNotReady, { label: agent.label }),
    }));

function Role({
  role,
  agents,
  wish,
  onChange,
}: {
  role: RoleName;
  agents: Agent[];
  wish: Wish;
  onChange: (wish: Wish) => void;
}) {
  const name = t.role[role];
  const agent = agents.find((one) => one.name === wish.agent);
  const [model, setModel] = useState(wish.model ?? "");
  const efforts = [...new Set([...(agent?.efforts ?? []), ...(wish.effort ? [wish.effort] : [])])];
  const changed = model.trim() !== (wish.model ?? "");
  return (
    <Setting name={name} hint={t.choices.roleHints[role]}>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={say(t.choices.agentOf, { role: name })}
          value={wish.agent ?? ""}
          options={[{ value: "", label: t.choices.none[role] }, ...offered(agents, wish.agent ?? null)]}
          onChange={(chosen) => {
            setModel("");
            onChange({ agent: chosen === "" ? null : chosen, model: null, effort: null });
          }}
        />
        {wish.agent && (
          <form
            className="flex items-center gap-1.5"
            onSubmit={(event) => {
              event.preventDefault();
              onChange({ ...wish, model: model.trim() === "" ? null : model.trim() });
            }}
          >
            <TextField
              label={say(t.choices.modelOf, { role: name })}
              hideLabel
              placeholder={t.choices.model}
              value={model}
              choices={agent?.models ?? []}
              onChange={setModel}
              className="w-36"
            />
            {changed && (
              <Button type="submit" size="sm">
                {t.saving.save}
              </Button>
            )}
          </form>
        )}
        {wish.agent && efforts.length > 0 && (
          <Select
            label={say(t.choices.effortOf, { role: name })}
            value={wish.effort ?? ""}
            options={[
              { value: "", label: `${t.choices.effort}: ${t.choices.usual}` },
              ...efforts.map((effort) => ({ value: effort, label: effort })),
            ]}
            onChange={(effort) => onChange({ ...wish, effort: effort === "" ? null : effort })}
          />
        )}
      </div>
    </Setting>
  );
}

interface LineProps {
  label: string;
  hint: string;
  words: string[];
  onSave: (words: string[]) => void;
}

/** A list in one line, saved when the person says so. */
export function Line({ label, hint, words, onSave }: LineProps) {
  const [text, setText] = useState(shown(words));
  const changed = shown(listed(text)) !== shown(words);
  return (
    <form
      className="flex flex-wrap items-start gap-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(listed(text));
      }}
    >
      <TextField label={label} hint={hint} value={text} onChange={setText} mono className="flex-1 basis-60" />
      {changed && (
        <Button type="submit" look="primary" className="mt-6">
          {t.saving.save}
        </Button>
      )}
    </form>
  );
}

export function Choices({ agents, stored, save }: Props) {
  const change = (changes: Partial<AgentPreferences>) => save({ agents: { ...stored, ...changes } });
  return (
    <Section title={t.choices.title} lead={t.choices.lead}>
      <Setting name={t.choices.default} hint={t.choices.defaultHint}>
        <Select
          label={t.choices.default}
          value={stored.default ?? ""}
          options={[{ value: "", label: t.choices.first }, ...offered(agents, stored.default)]}
          onChange={(name) => change({ default: name === "" ? null : name })}
        />
      </Setting>
      {ROLES.map((role) => (
        <Role
          key={role}
          role={role}
          agents={agents}
          wish={stored.roles[role]}
          onChange={(wish) => change({ roles: { ...stored.roles, [role]: wish } })}
        />
      ))}
      <Line
        key={`env ${shown(stored.env)}`}
        label={t.choices.env}
        hint={t.choices.envHint}
        words={stored.env}
        onSave={(env) => change({ env })}
      />
      <Line
        key={`tools ${shown(stored.tools)}`}
        label={t.choices.tools}
        hint={t.choices.toolsHint}
        words={stored.tools}
        onSave={(tools) => change({ tools })}
      />
    </Section>
  );
}
