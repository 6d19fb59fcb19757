import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";

type Look = "primary" | "plain" | "quiet" | "danger";
type Size = "sm" | "md" | "lg" | "icon";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-hover",
  plain: "bg-panel text-text border-line-strong hover:bg-raised",
  quiet: "bg-transparent text-muted border-transparent hover:bg-raised hover:text-text",
  danger: "bg-panel text-bad border-line-strong hover:bg-bad-soft",
};
const SIZES: Record<Size, string> = {
  sm: "h-7 px-2 text-[13px] gap-1.5",
  md: "h-8 px-3 gap-2",
  lg: "min-h-11 px-4 gap-2",
  icon: "size-8 shrink-0",
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  size?: Size;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function buttonClass(look: Look = "plain", size: Size = "md"): string {
  return `inline-flex items-center justify-center rounded-md border font-medium whitespace-nowrap select-none transition-colors duration-100 disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 active:translate-y-px ${LOOKS[look]} ${SIZES[size]}`;
}

export function Button({
  look = "plain",
  size = "md",
  icon,
  children,
  className = "",
  type = "button",
  ...rest
}: Props) {
  return (
    <button type={type} className={`${buttonClass(look, size)} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  );
}

interface IconProps extends Omit<Props, "children" | "icon"> {
  label: string;
  children: ReactNode;
}

/** A button with an icon only: its name is spoken and shown on hover. */
export function IconButton({ label, children, className = "", look = "quiet", ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${buttonClass(look, "icon")} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
