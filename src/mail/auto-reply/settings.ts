/** The auto reply of a mailbox. */
export interface AutoReplySettings {
  active: boolean;
  /** Up to 150 characters; empty for one made of the subject that is answered. */
  subject: string;
  /** Plain text, up to 4,000 characters. */
  body: string;
  /** The first day, `YYYY-MM-DD` in the zone of the owner; empty for none. */
  from: string;
  /** The last day. */
  until: string;
  /** IANA name of the owner's time zone. */
  tz: string;
}

/** Whether a time is within the days of an auto reply. */
export function isWithinDays({ from, until, tz }: AutoReplySettings, now: Date): boolean {
  const today = formatDayInZone(tz, now);
  return (from === '' || from <= today) && (until === '' || today <= until);
}

/** `YYYY-MM-DD`; a zone that is not known is UTC. */
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
    const of = (type: string): string => parts.find((part) => part.type === type)!.value;
    return `${of('year')}-${of('month')}-${of('day')}`;
  } catch {
    return now.toISOString().slice(0, 10);
  }
}
