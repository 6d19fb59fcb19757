import * as Radix from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          className="appear z-50 min-w-44 rounded-lg border border-line bg-panel p-1 shadow-card"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
  danger?: boolean;
}

export function MenuItem({ icon, onSelect, children, danger = false }: ItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className={`flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-[highlighted]:bg-raised ${danger ? "text-bad" : ""}`}
    >
      {icon}
      {children}
    </Radix.Item>
  );
}
