import { runTogether } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { scheduleEvents } from '../../../src/engine/work/events.ts';
import { createPublicId } from '../kit/public-id.ts';
import type { BookRow } from './books.ts';
import { sendConfirmations } from './confirm.ts';
import { buildContactEvent } from './contact-event.ts';
import type { ContactRow } from './contact-input.ts';

export interface SavedContactRow {
  public_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  properties: Record<string, string>;
  subscribed: boolean;
  unsubscribe_reason: string | null;
  created: boolean;
}

/**
 * Upserts a book's contacts by address: merges properties, and never resubscribes an unsubscribed contact. `asks` makes
 * new contacts pending. Sorts by address, so that concurrent statements cannot deadlock. Citus routes the statement to
 * the workspace's node, because the workspace id comes from the book.
 */
const UPSERT_CONTACTS = sql.prepare<UpsertContactsArgs>(
  (p) => sql`
  insert into svc_contact as c (workspace_id, id, public_id, book_id, email, first_name, last_name, properties,
    subscribed, unsubscribe_reason, write_date, create_uid, write_uid)
  select b.workspace_id, (${p.ids}::int[])[row_number() over (order by lower(g.email))], g.public_id,
    b.id, g.email, g.first_name, g.last_name, g.properties,
    coalesce(g.subscribed, true) and not ${p.asks}::bool,
    case when not g.subscribed then 'UNSUBSCRIBED' end, now(), ${p.user}::int, ${p.user}::int
  from json_to_recordset(${p.contacts}::json)
    g(public_id text, email text, first_name text, last_name text, properties jsonb, subscribed bool)
  join svc_contact_book b on b.workspace_id = ${p.workspace} and b.id = ${p.book}
  order by lower(g.email)
  on conflict (workspace_id, book_id, lower(email)) do update set
    first_name = coalesce(excluded.first_name, c.first_name), last_name = coalesce(excluded.last_name, c.last_name),
    properties = c.properties || excluded.properties,
    subscribed = c.subscribed and excluded.unsubscribe_reason is null,
    unsubscribe_reason = coalesce(c.unsubscribe_reason, excluded.unsubscribe_reason),
    row_version = c.row_version + 1, write_date = excluded.write_date, write_uid = excluded.write_uid
  returning c.public_id, c.email, c.first_name, c.last_name, c.properties, c.subscribed, c.unsubscribe_reason,
    c.id = any(${p.ids}::int[]) as created`,
);

/** Records an event for each contact. Spreads many events over time, so that they do not delay other workspaces. */
const RECORD_EVENTS = sql.prepare<UpsertContactsArgs>(
  (p) => sql`
  insert into svc_event (workspace_id, id, topic, payload, run_at)
  select c.workspace_id, (${p.eventIds}::bigint[])[row_number() over (order by c.id)],
    case when c.id = any(${p.ids}::int[]) then 'contact.created' else 'contact.updated' end,
    ${buildContactEvent('c', sql`${p.bookId}::text`)},
    now() + make_interval(secs => (row_number() over (order by c.id) - 1) / 1000.0)
  from svc_contact c
  where c.workspace_id = ${p.workspace} and c.book_id = ${p.book} and lower(c.email) = any(array(
    select lower(g.email) from json_to_recordset(${p.contacts}::json) g(email text)))`,
);

interface UpsertContactsArgs {
  workspace: number;
  ids: number[];
  eventIds: number[];
  book: number;
  bookId: string;
  contacts: string;
  asks: boolean;
  user: number | null;
}

/**
 * Upserts a book's contacts and, if the book requires it, asks new ones for confirmation. Each address must occur only
 * once.
 */
export async function putContacts(ctx: Ctx, book: BookRow, rows: ContactRow[]): Promise<SavedContactRow[]> {
  const ids = await allocateIds(ctx, 'svc_contact', rows.length);
  const eventIds = await allocateIds(ctx, 'svc_event', rows.length);
  const newRows = rows.map((row) => ({ ...row, public_id: createPublicId() }));
  const args = {
    workspace: ctx.workspace.id,
    ids,
    eventIds,
    book: book.id,
    bookId: book.public_id,
    contacts: JSON.stringify(newRows),
    asks: book.double_opt_in,
    user: ctx.principal?.userId ?? null,
  };
  const [savedContacts] = (await runTogether(ctx.db, [
    UPSERT_CONTACTS(args),
    RECORD_EVENTS(args),
  ])) as unknown as [SavedContactRow[]];
  scheduleEvents(ctx.db, ctx.workspace.id);
  const pendingRows = savedContacts.filter(
    (savedContact) =>
      savedContact.created && !savedContact.subscribed && savedContact.unsubscribe_reason === null,
  );
  if (pendingRows.length > 0) await sendConfirmations(ctx, book, pendingRows);
  return savedContacts;
}
