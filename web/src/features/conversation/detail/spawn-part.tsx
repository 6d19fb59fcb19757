import type { InstructionsFile, Spawn } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { money, listed } from "@/shared/lib/numbers";
import { MemoryBar } from "../memory-bar";
import { Part } from "./part";

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

function Model({ spawn }: { spawn: Spawn }) {
  const others = spawn.models.filter((model) => model !== spawn.model);
  return (
    <Row name={t.spawn.model}>
      {spawn.model}
      {spawn.requested_model !== null && (
        <span className={spawn.model_differs ? "text-warn" : "text-muted"}>
          , {say(t.spawn.asked, { model: spawn.requested_model })}
        </span>
      )}
      {others.length > 0 && <span className="text-muted">, {say(t.spawn.also, { models: listed(others) })}</span>}
    </Row>
  );
}

function Used({ spawn }: { spawn: Spawn }) {
  const tokens: [string, number][] = [
    [t.spawn.read, spawn.input_tokens],
    [t.spawn.cacheRead, spawn.cache_read_tokens],
    [t.spawn.cacheWrite, spawn.cache_write_tokens],
    [t.spawn.answered, spawn.output_tokens],
  ];
  return (
    <Part label={t.spawn.title}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-[13px]">
        {spawn.model !== "" && <Model spawn={spawn} />}
        <Row name={t.spawn.cost}>{money(spawn.cost_usd)}</Row>
        {tokens
          .filter(([, n]) => n > 0)
          .map(([name, n]) => (
            <Row key={name} name={name}>
              {say(t.spawn.tokens, { n })}
            </Row>
          ))}
      </dl>
      {spawn.context !== null && (
        <div className="mt-1 text-[13px] text-muted">
          <MemoryBar context={spawn.context} />
        </div>
      )}
    </Part>
  );
}

function File({ file }: { file: InstructionsFile }) {
  return (
    <li className="flex flex-col border-b border-line py-1 last:border-0">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <code className="min-w-0 font-mono text-[12.5px] [overflow-wrap:anywhere]">{file.path}</code>
        <span className="text-muted">{t.spawn.levels[file.level]}</span>
        {file.sha256 !== "" && (
          <span className="text-muted">
            {say(file.included === file.size ? t.spawn.size : t.spawn.sizeCut, {
              count: file.size,
              included: file.included,
            })}
          </span>
        )}
        {file.sha256 !== "" && (
          <code title={`${t.spawn.hash}: ${file.sha256}`} className="font-mono text-[12px] text-faint">
            {file.sha256.slice(0, 12)}
          </code>
        )}
      </span>
      {file.note !== "" && <span className="text-warn">{file.note}</span>}
    </li>
  );
}

/** What a run of the agent used, and which instructions files it got beside the prompt. */
export function SpawnPart({ spawn }: { spawn: Spawn }) {
  const counted =
    spawn.cost_usd > 0 ||
    spawn.model !== "" ||
    spawn.output_tokens + spawn.input_tokens + spawn.cache_read_tokens > 0 ||
    spawn.context !== null;
  return (
    <>
      {counted && <Used spawn={spawn} />}
      <Part label={t.spawn.instructions}>
        {spawn.instructions.length === 0 ? (
          <p className="text-[13px] text-muted">{t.spawn.noInstructions}</p>
        ) : (
          <ul className="text-[13px]">
            {spawn.instructions.map((file) => (
              <File key={file.path} file={file} />
            ))}
          </ul>
        )}
      </Part>
    </>
  );
}
