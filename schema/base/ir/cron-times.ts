const MINUTE_MS = 60_000;
const MINUTES_PER_YEAR = 366 * 24 * 60;

const CRON_FIELD_GETTERS: ((date: Date) => number)[] = [
  (date) => date.getUTCMinutes(),
  (date) => date.getUTCHours(),
  (date) => date.getUTCDate(),
  (date) => date.getUTCMonth() + 1,
  (date) => date.getUTCDay(),
];

/**
 * Returns the first run after `from`, as a Unix timestamp in milliseconds. Each of the five fields is a number, a star,
 * or a star with a step.
 */
export function computeNextRun(cron: string, from: number): number {
  const fields = cron.split(' ');
  let at = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  for (let step = 0; step < MINUTES_PER_YEAR; step++) {
    at += MINUTE_MS;
    const date = new Date(at);
    if (fields.every((field, index) => matchesField(field, CRON_FIELD_GETTERS[index]!(date)))) return at;
  }
  throw new Error(`the cron expression ${cron} never matches a date`);
}

function matchesField(field: string, value: number): boolean {
  const step = /^\*\/(\d+)$/.exec(field)?.[1];
  return field === '*' || (step ? value % Number(step) === 0 : Number(field) === value);
}

export function computeInterval(cron: string): { number: number; type: string } {
  const first = computeNextRun(cron, 0);
  const minutes = (computeNextRun(cron, first) - first) / MINUTE_MS;
  if (minutes % (7 * 24 * 60) === 0) return { number: minutes / (7 * 24 * 60), type: 'weeks' };
  if (minutes % (24 * 60) === 0) return { number: minutes / (24 * 60), type: 'days' };
  return minutes % 60 === 0 ? { number: minutes / 60, type: 'hours' } : { number: minutes, type: 'minutes' };
}
