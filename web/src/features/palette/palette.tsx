import * as Radix from "@radix-ui/react-dialog";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useDeferredValue, useState } from "react";
import { NO_FILTER, sessionsQuery } from "@/api/queries";
import type { Session } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Status } from "@/shared/ui/status";

export interface PaletteCommand {
  label: string;
  run: () => void;
}

interface Props {
  onClose: () => void;
  places: PaletteCommand[];
  actions: PaletteCommand[];
  onSession: (projectId: string, slug: string) => void;
}

const GROUP =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-[12px] [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted";
const ITEM = "flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 data-[selected=true]:bg-raised";

export default function Palette({ onClose, places, actions, onSession }: Props) {
  const [text, setText] = useState("");
  const wanted = text.trim();
  const q = useDeferredValue(wanted);
  const sessions = useInfiniteQuery({ ...sessionsQuery({ ...NO_FILTER, q }), placeholderData: (before) => before });
  const matches = (label: string) => label.toLowerCase().includes(wanted.toLowerCase());
  const group = (heading: string, commands: PaletteCommand[]) => {
    const found = commands.filter((command) => matches(command.label));
    if (found.length === 0) return null;
    return (
      <Command.Group heading={heading} className={GROUP}>
        {found.map((command) => (
          <Command.Item
            key={command.label}
            value={`${heading} ${command.label}`}
            onSelect={() => {
              onClose();
              command.run();
            }}
            className={ITEM}
          >
            {command.label}
          </Command.Item>
        ))}
      </Command.Group>
    );
  };
  // Until the answer to these words is there, only what fits of the one before: Enter must not open another session.
  const early = sessions.isPlaceholderData || q !== wanted;
  const words = wanted.toLowerCase().split(/\s+/);
  const fits = (session: Session) =>
    words.every((word) => `${session.title} ${session.project_path}`.toLowerCase().includes(word));
  const found = (sessions.data?.pages[0]?.items ?? []).filter((session) => !early || fits(session)).slice(0, 12);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          className="appear fixed top-[10vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-panel shadow-card outline-none"
        >
          <Radix.Title className="sr-only">{t.palette.title}</Radix.Title>
          <Command shouldFilter={false} loop label={t.palette.title}>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder={t.palette.placeholder}
              className="h-12 w-full border-b border-line bg-transparent px-4 outline-none"
            />
            <Command.List className="max-h-[60vh] overflow-y-auto p-2">
              <Command.Empty className="px-2 py-6 text-center text-muted">{t.palette.none}</Command.Empty>
              {group(t.palette.actions, actions)}
              {group(t.palette.go, places)}
              {found.length > 0 && (
                <Command.Group heading={t.palette.sessions} className={GROUP}>
                  {found.map((session) => (
                    <Command.Item
                      key={session.id}
                      value={session.id}
                      onSelect={() => {
                        onClose();
                        onSession(session.project_id, session.slug);
                      }}
                      className={ITEM}
                    >
                      <span className="min-w-0 flex-1 truncate">
                        {session.title} <span className="text-muted">{session.project_name}</span>
                      </span>
                      <Status
                        status={session.task_status}
                        awaiting={session.awaiting}
                        verdict={session.verdict}
                        doubtful={session.doubts > 0}
                        className="text-[13px]"
                      />
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
