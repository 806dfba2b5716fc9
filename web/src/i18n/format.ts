import { language } from './language.ts';

const numberFormat = new Intl.NumberFormat(language);
const percentFormat = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
const dateTimeFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const fullDateFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
const shortDateFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
const yearDateFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
const pluralRules = new Intl.PluralRules(language);

export const formatNumber = (value: number): string => numberFormat.format(value);

const decimalFormats = new Map<number, Intl.NumberFormat>();

/** Shows at least two decimals, so that prices align. @param scale maximum number of decimals */
export function formatDecimal(value: number, scale: number): string {
  let format = decimalFormats.get(scale);
  if (!format) {
    const minimumFractionDigits = Math.min(scale, 2);
    format = new Intl.NumberFormat(language, { minimumFractionDigits, maximumFractionDigits: scale });
    decimalFormats.set(scale, format);
  }
  return format.format(value);
}

/** @param share fraction, such as 0.05 */
export const formatShare = (share: number): string => percentFormat.format(share);

export const formatInstant = (iso: string): string => dateTimeFormat.format(new Date(iso));

/** Formats the time of an instant, in the browser's time zone. */
export const formatTime = (iso: string): string => timeFormat.format(new Date(iso));

export const formatDay = (iso: string): string => dayFormat.format(new Date(iso));

export const formatDate = (iso: string): string => fullDateFormat.format(new Date(iso));

/** Omits an invalid or missing currency code. */
export const formatMoney = (amount: number, currency?: string): string =>
  currency && /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
    : numberFormat.format(amount);

/** Formats an instant: the time if it is today, the day and month if it is this year, and the full date otherwise. */
export function formatWhen(iso: string, now = new Date()): string {
  const then = new Date(iso);
  if (then.toDateString() === now.toDateString()) return timeFormat.format(then);
  return (then.getFullYear() === now.getFullYear() ? shortDateFormat : yearDateFormat).format(then);
}

/** Selects the plural form and replaces `#` with the number. */
export function formatCount(count: number, forms: { one: string; other: string }): string {
  const form = pluralRules.select(count) === 'one' ? forms.one : forms.other;
  return form.replace('#', formatNumber(count));
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function formatSize(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}
