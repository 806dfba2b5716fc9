export interface AutoReplySettings {
  active: boolean;
  /** Subject of at most 150 characters. If empty, it is derived from the received message. */
  subject: string;
  /** Plain text of at most 4,000 characters. */
  body: string;
  /** First day (`YYYY-MM-DD`) in the owner's time zone. Empty for no limit. */
  from: string;
  /** Last day, inclusive. Empty for no limit. */
  until: string;
  tz: string;
}

export function isWithinDays({ from, until, tz }: AutoReplySettings, now: Date): boolean {
  const today = formatDayInZone(tz, now);
  return (from === '' || from <= today) && (until === '' || today <= until);
}

/** Unknown time zones are treated as UTC. */
function formatDayInZone(tz: string, now: Date): string {
  try {
    const parts = new Intl.DateTimeFormat('en', {
      timeZone: tz || 'UTC',
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).formatToParts(now);
    const getPart = (type: string): string => parts.find((part) => part.type === type)!.value;
    return `${getPart('year')}-${getPart('month')}-${getPart('day')}`;
  } catch {
    return now.toISOString().slice(0, 10);
  }
}
