import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { NOW_ROW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { AboutAddresses } from './event-addresses.ts';

/**
 * Maximum number of soft bounces per address whose timestamps are stored. This is also the maximum of
 * SOFT_BOUNCE_LIMIT.
 */
const MAX_SOFT_BOUNCES = 99;

interface SoftBounces {
  /** Bare address in lower case. */
  email: string;
  count: number;
  /** Public id of the latest bounced email. */
  source: string;
}

export interface SoftBounceArgs {
  workspace: number;
  /** `SoftBounces` as JSON. */
  soft: string;
  limit: number;
  /** Number of days during which soft bounces are counted. */
  window: number;
  /** Number of days during which the address is suppressed. */
  pause: number;
}

export type SoftBounceSettings = Pick<Config, 'softBounces'>;

/** Builds the parameters. Empty lists if the settings turn soft-bounce suppression off. */
export const softBounceArgs = (
  workspace: number,
  { softBounces }: SoftBounceSettings,
  soft: readonly SoftBounces[],
): SoftBounceArgs => ({
  workspace,
  soft: JSON.stringify(softBounces ? soft : []),
  limit: softBounces?.limit ?? 0,
  window: softBounces?.windowDays ?? 0,
  pause: softBounces?.pauseDays ?? 0,
});

type Slots = { [name in keyof SoftBounceArgs]: unknown };

/**
 * `with` parts that record soft bounces: `soft` contains the given bounces, `noted` all recent bounces of their
 * addresses.
 */
export const noteSoft = (p: Slots): Sql => sql`soft as (
    select g.*, n.now from json_to_recordset(${p.soft}::json) g(email text, count int, source text), ${NOW_ROW}
  ), noted as (
    insert into svc_soft_bounce as b (workspace_id, email, times, last_at)
    select ${p.workspace}::int, email, array_fill(now, array[least(count, ${p.limit}::int)]), now
    from soft order by email
    on conflict (workspace_id, email) do update
      set times = (excluded.times || b.times)[1:${sql.literal(MAX_SOFT_BOUNCES)}],
        last_at = excluded.last_at
    returning b.email, b.times
  )`;

/** Resulting suppressions, as rows for `suppress`. */
export const softSuppressions = (p: Slots): Sql => sql`
  select s.email, 'SOFT_BOUNCE' as reason, s.source, s.now + make_interval(days => ${p.pause}::int) as expires_at
  from soft s join noted b on b.email = s.email
  where b.times[${p.limit}::int] > s.now - make_interval(days => ${p.window}::int)`;

/**
 * Inserts rows of `email, reason, source, expires_at`, at most one per address. A permanent entry is kept; a temporary
 * entry is replaced by one that lasts longer.
 */
export const suppress = (workspace: unknown, rows: Sql): Sql => sql`
  insert into svc_suppression as m (workspace_id, email, reason, source, create_date, expires_at)
  select ${workspace}::int, r.email, r.reason, r.source, n.now, r.expires_at from (${rows}) r, ${NOW_ROW}
  order by r.email
  on conflict (workspace_id, email) do update set reason = excluded.reason, source = excluded.source,
    create_date = excluded.create_date, expires_at = excluded.expires_at
  where m.expires_at < coalesce(excluded.expires_at, 'infinity')`;

const record = sql.prepare<SoftBounceArgs>(
  (p) => sql`with ${noteSoft(p)} ${suppress(p.workspace, softSuppressions(p))}`,
);

const recordOfEmails = sql.prepare<{ workspace: number; ids: number[] }>(
  (p) =>
    sql`select id, public_id from svc_email where workspace_id = ${p.workspace} and id = any(${p.ids}::bigint[])`,
);

/** Records addresses that a relay rejected temporarily, by email id. */
export async function recordRefusals(
  db: Db,
  settings: SoftBounceSettings,
  workspace: number,
  refusals: readonly { id: number; addresses: readonly string[] }[],
): Promise<void> {
  if (!settings.softBounces) return;
  const emails = await db.rows<{ id: number; public_id: string }>(
    recordOfEmails({ workspace, ids: refusals.map(({ id }) => id) }),
  );
  const names = new Map(emails.map(({ id, public_id }) => [id, public_id]));
  const tally = createTally();
  for (const { id, addresses } of refusals) tally.bounced(addresses, names.get(id) ?? '');
  await db.rows(record(softBounceArgs(workspace, settings, tally.soft())));
}

/**
 * Counts the soft bounces in events of a workspace, and the addresses whose count a delivery resets. Deletes the counts
 * of addresses with both, because one statement cannot delete a row and insert it again.
 */
export async function tallyEvents(
  db: Db,
  workspace: number,
  events: readonly Addressed[],
): Promise<{ soft: SoftBounces[]; delivered: string[] }> {
  const tally = createTally();
  for (const { email, softBounced, delivered } of events) {
    tally.delivered(delivered);
    tally.bounced(softBounced, email.public_id);
  }
  const soft = tally.soft();
  const both = soft.flatMap(({ email }) => (tally.wasDelivered(email) ? [email] : []));
  if (both.length > 0)
    await db.rows(
      sql`delete from svc_soft_bounce where workspace_id = ${workspace} and email = any(${both}::text[])`,
    );
  return { soft, delivered: tally.ended() };
}

type Addressed = AboutAddresses & { email: { public_id: string } };

/** Applies a batch of events, in order, to the counts of addresses. */
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
    /** Addresses without bounces since their delivery. */
    ended: (): string[] => [...delivered].filter((email) => !bounces.has(email)),
  };
}
