import type { Agent } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Select } from "@/shared/ui/select";
import { TextField } from "@/shared/ui/text-field";
import type { Options } from "./message";

interface Props {
  options: Options;
  agents: Agent[];
  onChange: (options: Options) => void;
}

/** Model and effort of this message: what the chosen agent has, or all of them while it is left to the project. */
export function ModelChoice({ options, agents, onChange }: Props) {
  const chosen = agents.filter((agent) => (options.agent === "" ? agent.ready : agent.name === options.agent));
  const models = [...new Set(chosen.flatMap((agent) => agent.models))];
  const efforts = [
    ...new Set([...chosen.flatMap((agent) => agent.efforts), ...(options.effort === "" ? [] : [options.effort])]),
  ];
  const usable = chosen.some((agent) => agent.program !== "") || options.model !== "" || efforts.length > 0;
  if (!usable) return null;
  return (
    <div className="grid gap-x-6 gap-y-4 @lg:col-span-6 @lg:grid-cols-2">
      <TextField
        label={t.compose.model}
        value={options.model}
        placeholder={t.compose.modelDefault}
        hint={t.compose.modelHint}
        choices={models}
        onChange={(model) => {
          onChange({ ...options, model });
        }}
      />
      {efforts.length > 0 && (
        <div className="min-w-0">
          <p className="text-[13px] font-medium" aria-hidden>
            {t.compose.effort}
          </p>
          <Select
            label={t.compose.effort}
            value={options.effort}
            options={[
              { value: "", label: t.compose.effortDefault },
              ...efforts.map((effort) => ({ value: effort, label: effort })),
            ]}
            onChange={(effort) => {
              onChange({ ...options, effort });
            }}
            className="mt-1 w-full"
          />
        </div>
      )}
    </div>
  );
}
