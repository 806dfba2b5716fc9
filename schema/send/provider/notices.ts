import { perOwner } from '../../../src/cache.ts';
import type { Db } from '../../../src/db/db.ts';
import { type Database, persistent } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { createGathering } from '../../../src/engine/work/gather.ts';
import { limits } from '../../../src/limits.ts';
import { type EmailEvent, lockEmails, recordOf } from '../state/email-events.ts';
import type { ProviderNotice } from './ses-event.ts';

/** A notice as it came. */
interface Arrived extends ProviderNotice {
  /** The provider's id of the notice itself. */
  noticeId: string;
  topic: string;
}

/** The email that a notice is about. */
interface Found {
  place: number;
  workspace_id: number;
  id: number;
}

const queues = perOwner((db: Database) =>
  createGathering<Arrived, void>({
    // Of all workspaces: which one a notice belongs to is not known before.
    keyOf: () => 0,
    together: async (notices) => {
      await persistent(() => applyNotices(db, notices));
      return notices.map(() => undefined);
    },
    atOnce: limits.provider.eventBatches,
    most: limits.provider.eventBatch,
    isOfOne: isOfContent,
  }),
);

/** Of the data, not of the database's state (SQLSTATE classes 22, 23 and 54, and what our own triggers refuse). */
const isOfContent = (error: unknown): boolean =>
  /^(22|23|54|AT)/.test((error as { code?: string }).code ?? '');

/**
 * Keeps a notice; resolves when it is committed. Notices that come while transactions run share the next one.
 * @throws what the database says, when it cannot be kept
 */
export const takeNotice = (db: Database, notice: Arrived): Promise<void> => queues(db).give(notice);

/**
 * Keeps notices and applies those whose email is known, in one transaction. One that has come before changes nothing;
 * one about an email that is not known (yet) waits.
 */
async function applyNotices(db: Db, given: readonly Arrived[]): Promise<void> {
  // Always in this order, so that two processes do not wait for each other.
  const notices = [...given].sort((a, b) => (a.noticeId < b.noticeId ? -1 : 1));
  const emails = await emailsOf(db, notices);
  await db.transaction(async (tx) => {
    const [fresh, locked] = await Promise.all([
      keep(tx, notices, emails),
      lockEmails(
        tx,
        [...emails.values()].map(({ workspace_id, id }) => ({ workspaceId: workspace_id, emailId: id })),
      ),
    ]);
    const events = new Map<EmailEvent, string>();
    for (const [place, notice] of notices.entries()) {
      const email = emails.get(place);
      if (email && fresh.delete(notice.noticeId)) events.set(eventOf(notice, email), notice.noticeId);
    }
    const later = await recordOf(tx, [...events.keys()].sort(inTime), locked, true);
    await wait(
      tx,
      later.map((event) => events.get(event)!),
    );
  });
}

/** A notice as an event of its email. Pure. */
export const eventOf = (notice: ProviderNotice, { workspace_id, id }: Found): EmailEvent => ({
  workspaceId: workspace_id,
  emailId: id,
  status: notice.status,
  data: notice.data,
  providerId: notice.providerId,
});

/** Applies the notifications of one transaction in the order in which they happened, as far as known. */
function inTime(a: EmailEvent, b: EmailEvent): number {
  return timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0;
}

const timeOf = ({ data }: EmailEvent): string => (typeof data?.timestamp === 'string' ? data.timestamp : '');

/** @returns ids of the notices that are new */
async function keep(db: Db, notices: Arrived[], emails: Map<number, Found>): Promise<Set<string>> {
  const rows = notices.map(({ noticeId, topic, event }, place) => {
    const { workspace_id = null, id = null } = emails.get(place) ?? {};
    const known = JSON.stringify({ noticeId, topic, workspace_id, email_id: id });
    return `${known.slice(0, -1)},"body":${event}}`;
  });
  const kept = await db.rows<{ message_id: string }>(
    sql`insert into svc_provider_event (message_id, topic, body, workspace_id, email_id, applied_at)
     select "noticeId", topic, body, workspace_id, email_id, case when email_id is not null then now() end
     from json_to_recordset(${`[${rows.join()}]`}::json)
       n("noticeId" text, topic text, body jsonb, workspace_id int, email_id int)
     on conflict (message_id) do nothing returning message_id`,
  );
  return new Set(kept.map((row) => row.message_id));
}

async function wait(db: Db, noticeIds: string[]): Promise<void> {
  if (noticeIds.length === 0) return;
  await db.rows(
    sql`update svc_provider_event set applied_at = null
     where message_id = any(${noticeIds}) and workspace_id is not null`,
  );
}

/**
 * The emails of notices, by their place: by the provider's id of the message, else by our own, within the workspace
 * that their tags name. Mail that went out without tags is looked up in all workspaces.
 */
export async function emailsOf(db: Db, notices: ProviderNotice[]): Promise<Map<number, Found>> {
  const found = new Map<number, Found>();
  const places = [...notices.keys()];
  const look = async (among: number[], find: (list: string) => Sql) => {
    const open = among.filter((place) => !found.has(place));
    if (open.length === 0) return;
    const list = open.map((place) => ({ place, ...idsOf(notices[place]!) }));
    for (const row of await db.rows<Found>(find(JSON.stringify(list)))) found.set(row.place, row);
  };
  for (const [workspaceId, its] of Map.groupBy(places, (place) => notices[place]!.workspaceId)) {
    if (workspaceId === null) {
      await look(its, byProvider);
      await look(its.filter(isNamed), everywhere);
    } else {
      await look(its, (list) => byProviderIn(workspaceId, list));
      await look(its.filter(isNamed), (list) => byOwnId(workspaceId, list));
    }
  }
  return found;

  function isNamed(place: number): boolean {
    return notices[place]!.emailId !== null;
  }
}

const idsOf = ({ providerId, emailId }: ProviderNotice) => ({ providerId, emailId });

const given = (list: string): Sql =>
  sql`json_to_recordset(${list}::json) n(place int, "providerId" text, "emailId" text)`;

const byProviderIn = (workspaceId: number, list: string): Sql => sql`
  select n.place, e.workspace_id, e.id from ${given(list)} join svc_email e on e.provider_id = n."providerId"
  where e.workspace_id = ${workspaceId}`;

const byOwnId = (workspaceId: number, list: string): Sql => sql`
  select n.place, e.workspace_id, e.id from ${given(list)} join svc_email e on e.public_id = n."emailId"
  where e.workspace_id = ${workspaceId}`;

const byProvider = (list: string): Sql => sql`select n.place, e.workspace_id, e.id from ${given(list)}
  join svc_email e on e.provider_id = n."providerId"`;

const everywhere = (list: string): Sql => sql`select n.place, e.workspace_id, e.id from ${given(list)}
  cross join workspace w join svc_email e on e.workspace_id = w.id and e.public_id = n."emailId"`;
