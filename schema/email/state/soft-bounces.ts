import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { NOW_ROW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { AffectedAddresses } from './event-addresses.ts';

/** Maximum number of timestamps stored per address. SOFT_BOUNCE_LIMIT cannot exceed it. */
const MAX_SOFT_BOUNCES = 99;

interface SoftBounces {
  /** Bare address in lower case. */
  email: string;
  count: number;
  /** Public id of the latest bounced email. */
  source: string;
}

export type SoftBounceSettings = Pick<Config, 'softBounces'>;

const RECORD_SOFT_BOUNCES = sql.prepare<{ workspace: number; soft: string; limit: number; window: number }>(
  (p) => sql`
  insert into svc_soft_bounce as b (workspace_id, email, times, last_at)
  select ${p.workspace}::int, g.email, array_fill(n.now, array[least(g.count, ${p.limit}::int)]), n.now
  from json_to_recordset(${p.soft}::json) g(email text, count int), ${NOW_ROW} order by g.email
  on conflict (workspace_id, email) do update
    set times = (excluded.times || b.times)[1:${sql.literal(MAX_SOFT_BOUNCES)}],
      last_at = excluded.last_at
  returning b.email, coalesce(b.times[${p.limit}::int] > b.last_at - make_interval(days => ${p.window}::int), false)
    as is_frequent`,
);

/** JSON rows for `buildSoftSuppressionsSql`. */
export interface FrequentSoftBounces {
  soft: string;
  /** Number of days to suppress the addresses. */
  pause: number;
}

/** Records soft bounces, unless they are turned off in the settings. @returns the addresses to suppress */
export async function recordSoftBounces(
  db: Db,
  { softBounces }: SoftBounceSettings,
  workspace: number,
  bounces: readonly SoftBounces[],
): Promise<FrequentSoftBounces> {
  if (!softBounces || bounces.length === 0) return { soft: '[]', pause: 0 };
  const { limit, windowDays: window, pauseDays: pause } = softBounces;
  const notes = await db.rows<{ email: string; is_frequent: boolean }>(
    RECORD_SOFT_BOUNCES({ workspace, soft: JSON.stringify(bounces), limit, window }),
  );
  const frequent = new Set(notes.flatMap(({ email, is_frequent }) => (is_frequent ? [email] : [])));
  return { soft: JSON.stringify(bounces.filter(({ email }) => frequent.has(email))), pause };
}

export const buildSoftSuppressionsSql = (p: { [name in keyof FrequentSoftBounces]: unknown }): Sql => sql`
  select g.email, 'SOFT_BOUNCE' as reason, g.source, n.now + make_interval(days => ${p.pause}::int) as expires_at
  from json_to_recordset(${p.soft}::json) g(email text, source text), ${NOW_ROW}`;

/**
 * Inserts rows of `email, reason, source, expires_at`, at most one per address. Keeps permanent entries, and replaces a
 * temporary entry by one that lasts longer.
 */
export const suppress = (workspace: unknown, rows: Sql): Sql => sql`
  insert into svc_suppression as m (workspace_id, email, reason, source, create_date, expires_at)
  select ${workspace}::int, r.email, r.reason, r.source, n.now, r.expires_at from (${rows}) r, ${NOW_ROW}
  order by r.email
  on conflict (workspace_id, email) do update set reason = excluded.reason, source = excluded.source,
    create_date = excluded.create_date, expires_at = excluded.expires_at
  where m.expires_at < coalesce(excluded.expires_at, 'infinity')`;

const SUPPRESS = sql.prepare<FrequentSoftBounces & { workspace: number }>((p) =>
  suppress(p.workspace, buildSoftSuppressionsSql(p)),
);

const SELECT_PUBLIC_IDS = sql.prepare<{ workspace: number; ids: number[] }>(
  (p) =>
    sql`select id, public_id from svc_email where workspace_id = ${p.workspace} and id = any(${p.ids}::bigint[])`,
);

export async function recordRejectedRecipients(
  db: Db,
  settings: SoftBounceSettings,
  workspace: number,
  errors: readonly { id: number; addresses: readonly string[] }[],
): Promise<void> {
  if (!settings.softBounces) return;
  const emails = await db.rows<{ id: number; public_id: string }>(
    SELECT_PUBLIC_IDS({ workspace, ids: errors.map(({ id }) => id) }),
  );
  const names = new Map(emails.map(({ id, public_id }) => [id, public_id]));
  const tally = createTally();
  for (const { id, addresses } of errors) tally.bounced(addresses, names.get(id) ?? '');
  const frequent = await recordSoftBounces(db, settings, workspace, tally.soft());
  await db.rows(SUPPRESS({ workspace, ...frequent }));
}

/**
 * Counts soft bounces, and collects the addresses whose count a delivery resets. Deletes the count of an address that
 * has both, because one statement cannot delete and reinsert a row.
 */
export async function tallyEvents(
  db: Db,
  workspace: number,
  events: readonly EmailEvent[],
): Promise<{ soft: SoftBounces[]; delivered: string[] }> {
  const tally = createTally();
  for (const { email, softBounced, delivered } of events) {
    tally.delivered(delivered);
    tally.bounced(softBounced, email.public_id);
  }
  const softBounces = tally.soft();
  const deliveredAddresses = softBounces.flatMap(({ email }) => (tally.wasDelivered(email) ? [email] : []));
  if (deliveredAddresses.length > 0)
    await db.rows(
      sql`delete from svc_soft_bounce where workspace_id = ${workspace} and email = any(${deliveredAddresses}::text[])`,
    );
  return { soft: softBounces, delivered: tally.ended() };
}

type EmailEvent = AffectedAddresses & { email: { public_id: string } };

/** Creates a tally of bounces and deliveries per address. Events must be added in order. */
function createTally() {
  const bounces = new Map<string, SoftBounces>();
  const delivered = new Set<string>();
  return {
    bounced(addresses: Iterable<string>, source: string): void {
      for (const email of addresses)
        bounces.set(email, { email, count: (bounces.get(email)?.count ?? 0) + 1, source });
    },
    delivered(addresses: Iterable<string>): void {
      for (const email of addresses) {
        delivered.add(email);
        bounces.delete(email);
      }
    },
    soft: (): SoftBounces[] => [...bounces.values()],
    wasDelivered: (email: string): boolean => delivered.has(email),
    /** Addresses without a bounce since their delivery. */
    ended: (): string[] => [...delivered].filter((email) => !bounces.has(email)),
  };
}
