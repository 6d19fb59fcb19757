import { language } from "@/shared/i18n/language";

const PLAIN = new Intl.NumberFormat(language);
const COMPACT = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const LIST = new Intl.ListFormat(language, { type: "conjunction", style: "narrow" });

const dollars = (digits: number) =>
  new Intl.NumberFormat(language, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
const [WHOLE, CENTS, MILLS] = [dollars(0), dollars(2), dollars(3)];

/** A number with the short sign of its unit, as the person's language writes it: "4s", "3.0MB". */
export const measured = (unit: string, digits = 0, width = 1) =>
  new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "narrow",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    minimumIntegerDigits: width,
  });

const BYTES = measured("byte");
const KILOBYTES = measured("kilobyte");
const MEGABYTES = measured("megabyte", 1);

export function money(usd: number): string {
  if (usd === 0 || usd >= 100) return WHOLE.format(usd);
  return (usd < 0.1 ? MILLS : CENTS).format(usd);
}

export function count(value: number): string {
  return PLAIN.format(value);
}

export function bytes(value: number): string {
  if (value < 1024) return BYTES.format(value);
  if (value < 1024 * 1024) return KILOBYTES.format(value / 1024);
  return MEGABYTES.format(value / 1024 / 1024);
}

/** "950", "12.3K", "4.5M": where the size matters and the digits do not. */
export function short(value: number): string {
  return COMPACT.format(value);
}

/** "0%", "<1%", "93%". */
export function percent(share: number): string {
  const whole = Math.floor(share * 100) / 100;
  return share > 0 && whole === 0 ? `<${PERCENT.format(0.01)}` : PERCENT.format(whole);
}

/** "a, b, c" */
export function listed(words: Iterable<string>): string {
  return LIST.format(words);
}

/** A number above zero as a person writes it; null for an empty field, undefined for what is none. */
export function positive(text: string): number | null | undefined {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  const found = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : 0;
  return found > 0 ? found : undefined;
}
