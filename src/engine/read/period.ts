import { createCache } from '../../cache.ts';
import { localeOf } from '../value/locale.ts';
import type { Period } from './group-spec.ts';

/**
 * What people call a period, such as `September 2026` or `W36 2026`.
 * @param start its first moment in local time, `YYYY-MM-DD HH:MM:SS`
 */
export function periodLabel(period: Period, start: string, lang: string): string {
  const date = new Date(
    `${start
      .slice(0, 19)
      .replace(' ', 'T')
      .padEnd(19, 'T00:00:00'.slice(start.length - 19))}Z`,
  );
  const locale = localeOf(lang);
  const part = (options: Intl.DateTimeFormatOptions): string => formatOf(locale, options).format(date);
  const day = () => start.slice(8, 10);
  switch (period) {
    case 'hour':
      return `${start.slice(11, 16)} ${day()} ${part({ month: 'short' })}`;
    case 'day':
      return `${day()} ${part({ month: 'short' })} ${start.slice(0, 4)}`;
    case 'week':
      return `W${weekNumber(date)} ${start.slice(0, 4)}`;
    case 'month':
      return part({ month: 'long', year: 'numeric' });
    case 'quarter':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${start.slice(0, 4)}`;
    case 'year':
      return start.slice(0, 4);
  }
}

// A format takes longer to make than to use a hundred times. There are two for each language in use.
const formats = createCache<string, Intl.DateTimeFormat>({ entries: 400 });

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  return formats.remember(key, () => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }));
}

const DAY = 86_400_000;

/**
 * Of ISO 8601: the week with the year's first Thursday is the first. A week that begins on Sunday is the one of its
 * Monday.
 */
function weekNumber(start: Date): number {
  const monday = new Date(start.getTime() + (start.getUTCDay() === 0 ? DAY : 0));
  const thursday = new Date(monday.getTime() + (4 - (monday.getUTCDay() || 7)) * DAY);
  return Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / DAY + 1) / 7);
}
