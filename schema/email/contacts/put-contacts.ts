import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { announceEvents } from '../../../src/engine/work/events.ts';
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
 * Upserts contacts of a book by address: merges properties, and never resubscribes an unsubscribed contact. `asks`
 * makes new contacts pending. Sorted by address, so that concurrent statements cannot deadlock. Each contact gets an
 * event. Many events are spread over time, so that they do not delay events of other workspaces.
 */
const UPSERT_CONTACTS = sql.prepare<PutContactsArgs>(
  (p) => sql`
  with put as (
    insert into svc_contact as c (workspace_id, id, public_id, book_id, email, first_name, last_name, properties,
      subscribed, unsubscribe_reason, write_date, create_uid, write_uid)
    select ${p.workspace}, (${p.ids}::int[])[row_number() over (order by lower(g.email))], g.public_id,
      ${p.book}, g.email, g.first_name, g.last_name, g.properties,
      coalesce(g.subscribed, true) and not ${p.asks}::bool,
      case when not g.subscribed then 'UNSUBSCRIBED' end, now(), ${p.user}::int, ${p.user}::int
    from json_to_recordset(${p.contacts}::json)
      g(public_id text, email text, first_name text, last_name text, properties jsonb, subscribed bool)
    order by lower(g.email)
    on conflict (workspace_id, book_id, lower(email)) do update set
      first_name = coalesce(excluded.first_name, c.first_name), last_name = coalesce(excluded.last_name, c.last_name),
      properties = c.properties || excluded.properties,
      subscribed = c.subscribed and excluded.unsubscribe_reason is null,
      unsubscribe_reason = coalesce(c.unsubscribe_reason, excluded.unsubscribe_reason),
      write_date = excluded.write_date, write_uid = excluded.write_uid
    returning c.*, (c.xmax = 0) as created
  ), noted as (
    insert into svc_event (workspace_id, topic, payload, run_at)
    select put.workspace_id, case when put.created then 'contact.created' else 'contact.updated' end,
      ${buildContactEvent('put', sql`${p.bookId}::text`)},
      now() + make_interval(secs => (row_number() over (order by put.id) - 1) / 1000.0)
    from put order by put.id
  )
  select public_id, email, first_name, last_name, properties, subscribed, unsubscribe_reason, created from put`,
);

interface PutContactsArgs {
  workspace: number;
  ids: number[];
  book: number;
  bookId: string;
  contacts: string;
  asks: boolean;
  user: number | null;
}

/** Upserts contacts of a book, each address once. Sends confirmation requests to new ones if the book requires them. */
export async function putContacts(ctx: Ctx, book: BookRow, rows: ContactRow[]): Promise<SavedContactRow[]> {
  const ids = await allocateIds(ctx, 'svc_contact', rows.length);
  const newRows = rows.map((row) => ({ ...row, public_id: createPublicId() }));
  const savedContacts = await ctx.db.rows<SavedContactRow>(
    UPSERT_CONTACTS({
      workspace: ctx.workspace.id,
      ids,
      book: book.id,
      bookId: book.public_id,
      contacts: JSON.stringify(newRows),
      asks: book.double_opt_in,
      user: ctx.principal?.userId ?? null,
    }),
  );
  announceEvents(ctx);
  const pendingRows = savedContacts.filter(
    (savedContact) =>
      savedContact.created && !savedContact.subscribed && savedContact.unsubscribe_reason === null,
  );
  if (pendingRows.length > 0) await sendConfirmations(ctx, book, pendingRows);
  return savedContacts;
}
