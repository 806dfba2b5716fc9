import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { NOW_ROW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import type { AffectedAddresses } from './event-addresses.ts';
import { type Suppression, suppress } from './suppress.ts';

/** Maximum number of timestamps stored per address. SOFT_BOUNCE_LIMIT cannot exceed it. */
const MAX_SOFT_BOUNCES = 99;

interface SoftBounces {
  /** Bare address in lower case. */
  email: string;
  count: number;
  /** Latest bounced email. */
  source: BouncedEmail;
}

interface BouncedEmail {
  id: number;
  public_id: string;
}

export type SoftBounceSettings = Pick<Config, 'softBounces'>;

/** Records soft bounces, unless they are turned off in the settings. @returns the suppressions that they cause */
export async function recordSoftBounces(
  db: Db,
  { softBounces }: SoftBounceSettings,
  workspace: number,
  bounces: readonly SoftBounces[],
): Promise<Suppression[]> {
  if (!softBounces || bounces.length === 0) return [];
  const { limit, windowDays: window, pauseDays: days } = softBounces;
  const soft = JSON.stringify(
    bounces.map(({ email, count, source }) => ({ email, count, email_id: source.id })),
  );
  // Reads the emails, because Citus routes an insert to the workspace's node if it reads the workspace from a row.
  const notes = await db.rows<{ email: string; is_frequent: boolean }>(
    sql`insert into svc_soft_bounce as b (workspace_id, email, times, last_at)
     select e.workspace_id, g.email, array_fill(n.now, array[least(g.count, ${limit}::int)]), n.now
     from json_to_recordset(${soft}::json) g(email text, count int, email_id bigint)
     join svc_email e on e.workspace_id = ${workspace} and e.id = g.email_id, ${NOW_ROW} order by g.email
     on conflict (workspace_id, email) do update
       set times = (excluded.times || b.times)[1:${sql.literal(MAX_SOFT_BOUNCES)}],
         last_at = excluded.last_at
     returning b.email, coalesce(b.times[${limit}::int] > b.last_at - make_interval(days => ${window}::int), false)
       as is_frequent`,
  );
  const frequent = new Set(notes.flatMap(({ email, is_frequent }) => (is_frequent ? [email] : [])));
  return bounces.flatMap(({ email, source }) =>
    frequent.has(email) ? [{ email, reason: 'SOFT_BOUNCE', source: source.public_id, days }] : [],
  );
}

export async function recordRejectedRecipients(
  db: Db,
  settings: SoftBounceSettings,
  workspace: number,
  errors: readonly { id: number; addresses: readonly string[] }[],
): Promise<void> {
  if (!settings.softBounces) return;
  const emails = await db.rows<BouncedEmail>(
    sql`select id, public_id from svc_email where workspace_id = ${workspace}
     and id = any(${errors.map(({ id }) => id)}::bigint[])`,
  );
  const emailsById = new Map(emails.map((email) => [email.id, email]));
  const tally = createTally();
  for (const { id, addresses } of errors) {
    const email = emailsById.get(id);
    if (email) tally.bounced(addresses, email);
  }
  const suppressions = await recordSoftBounces(db, settings, workspace, tally.soft());
  await suppress(db, workspace, suppressions);
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
    tally.bounced(softBounced, email);
  }
  const softBounces = tally.soft();
  const deliveredAddresses = softBounces.flatMap(({ email }) => (tally.wasDelivered(email) ? [email] : []));
  if (deliveredAddresses.length > 0)
    await db.rows(
      sql`delete from svc_soft_bounce where workspace_id = ${workspace} and email = any(${deliveredAddresses}::text[])`,
    );
  return { soft: softBounces, delivered: tally.ended() };
}

type EmailEvent = AffectedAddresses & { email: BouncedEmail };

/** Creates a tally of bounces and deliveries per address. Events must be added in order. */
function createTally() {
  const bounces = new Map<string, SoftBounces>();
  const delivered = new Set<string>();
  return {
    bounced(addresses: Iterable<string>, source: BouncedEmail): void {
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
