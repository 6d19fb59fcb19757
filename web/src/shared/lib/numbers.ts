import { language } from "@/shared/i18n/language";

const PLAIN = new Intl.NumberFormat(language);
const COMPACT = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });

export function money(usd: number): string {
  if (usd === 0) return "$0";
  return usd >= 100 ? `$${usd.toFixed(0)}` : `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`;
}

export function count(value: number): string {
  return PLAIN.format(value);
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1024 * 1024) return `${(value / 1024).toFixed(0)} KB`;
  return `${(value / 1024 / 1024).toFixed(1)} MB`;
}

/** "950", "12.3k", "4.5M": where the size matters and the digits do not. */
export function short(value: number): string {
  return COMPACT.format(value).replace("K", "k");
}

/** "0 %", "< 1 %", "93 %". */
export function percent(share: number): string {
  const whole = Math.floor(share * 100);
  return share > 0 && whole === 0 ? "< 1 %" : `${whole} %`;
}

/** A number above zero as a person writes it; null for an empty field, undefined for what is none. */
export function positive(text: string): number | null | undefined {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  const found = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : 0;
  return found > 0 ? found : undefined;
}
