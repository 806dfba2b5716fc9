interface HourFigures {
  /** Start of the hour, such as `2026-11-27T09:00:00Z`. */
  hour: string;
  delivered: number;
  bounced: number;
}

interface HourGroup {
  key?: string | null;
  delivered: number;
  bounced: number;
}

const HOUR_MS = 3_600_000;

/** Returns the figures of each hour from the start of the day (UTC) until now. Hours without emails have zeros. */
export function fillHours(groups: readonly HourGroup[], day: string, now: number): HourFigures[] {
  const start = Date.parse(`${day}T00:00:00Z`);
  const groupsByHour = new Map(groups.map((group) => [Date.parse(group.key ?? ''), group]));
  const count = Math.max(1, Math.floor((now - start) / HOUR_MS) + 1);
  return Array.from({ length: count }, (_, index) => {
    const time = start + index * HOUR_MS;
    const { delivered = 0, bounced = 0 } = groupsByHour.get(time) ?? {};
    return { hour: new Date(time).toISOString(), delivered, bounced };
  });
}
