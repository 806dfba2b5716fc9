import type { EmailStatus } from './email-status.ts';

/** What is counted of emails by day and domain; each email once for each. */
export const COUNTERS = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'hard_bounced',
  'complained',
] as const;
export type Counter = (typeof COUNTERS)[number];

const BY_STATUS: Partial<Record<EmailStatus, Counter>> = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  OPENED: 'opened',
  CLICKED: 'clicked',
  BOUNCED: 'bounced',
  COMPLAINED: 'complained',
};

export const counterOf = (status: EmailStatus): Counter | null => BY_STATUS[status] ?? null;

/**
 * SQL that counts the rows of `source`, which has the columns `workspace_id`, `domain_id` and `counter`. A connection
 * writes rows of its own (`slot`): with one row for a domain, every transaction would wait for the one before it.
 */
export const usageOf = (source: string): string => `
  insert into svc_daily_usage as u (workspace_id, day, domain_id, slot, ${COUNTERS.join(', ')})
  select r.workspace_id, current_date, coalesce(r.domain_id, 0), pg_backend_pid() % 16, ${COUNTERS.map(
    (counter) => `count(*) filter (where r.counter = '${counter}')`,
  ).join(', ')}
  from ${source} group by 1, 3 order by 1, 3
  on conflict (workspace_id, day, domain_id, slot) do update set ${COUNTERS.map(
    (counter) => `${counter} = u.${counter} + excluded.${counter}`,
  ).join(', ')}`;
