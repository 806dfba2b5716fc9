import { iso } from '../../../src/db/iso.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { announce } from '../../../src/engine/work/events.ts';
import { setOwn } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { pageNumber } from '../kit/json-list.ts';
import { teamReads } from '../kit/policies.ts';
import { newPublicId } from '../kit/public-id.ts';
import { bookBy } from './books.ts';
import { type Pending, sendConfirmations } from './confirm.ts';
import { contactEvent } from './contact-event.ts';
import { addressOf, personName, propertiesOf } from './contact-input.ts';

defineModel('svc.contact', {
  display: 'email',
  searchNames: ['email', 'first_name', 'last_name'],
  order: 'id desc',
  access: { 'base.group_user': 'r', [ADMIN_GROUP]: 'crwu' },
  graph: { type: 'Contact', one: 'contact', many: 'contacts' },
  prepare: async (ctx, list, ids) => {
    for (const values of list) checkRecord(values, ids === null);
    if (ids === null) await leavePending(ctx, list);
  },
  afterCreate: async (ctx, ids) => {
    await noteEvents(ctx, 'contact.created', ids);
    await askPending(ctx, ids);
  },
  afterWrite: (ctx, ids) => noteEvents(ctx, 'contact.updated', ids),
  beforeUnlink: (ctx, ids) => noteEvents(ctx, 'contact.deleted', ids),
});

/** A contact that comes through the record API is held to the same rules. */
function checkRecord(values: Values, isNew: boolean): void {
  const text = (name: string) => (values[name] || null) as string | null;
  if (isNew || 'email' in values) values.email = addressOf(String(values.email || ''));
  personName('first_name', text('first_name'));
  personName('last_name', text('last_name'));
  if (values.properties) propertiesOf(values.properties);
  if (values.subscribed === true) values.unsubscribe_reason = null;
  if (values.subscribed === false && !values.unsubscribe_reason) values.unsubscribe_reason = 'UNSUBSCRIBED';
  if (isNew) setOwn(values, { public_id: newPublicId() });
}

/** In a book with double opt-in only who says so makes a contact that is subscribed at once. */
async function leavePending(ctx: Ctx, list: Values[]): Promise<void> {
  const open = list.filter((values) => values.subscribed === undefined && typeof values.book_id === 'number');
  if (open.length === 0) return;
  const books = open.map((values) => values.book_id);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_contact_book
     where workspace_id = ${ctx.workspace.id} and id = any(${books}) and double_opt_in`,
  );
  const asks = new Set<unknown>(rows.map((row) => row.id));
  for (const values of open) if (asks.has(values.book_id)) values.subscribed = false;
}

async function askPending(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<Pending & { book: string }>(
    sql`select b.public_id as book, c.public_id, c.email, c.first_name, c.last_name, c.properties
     from svc_contact c join svc_contact_book b on b.workspace_id = c.workspace_id and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.id = any(${ids}) and b.double_opt_in
       and not c.subscribed and c.unsubscribe_reason is null`,
  );
  for (const [book, pending] of Map.groupBy(rows, (row) => row.book))
    await sendConfirmations(ctx, await bookBy(ctx, book), pending);
}

/** Notes an event for each of these contacts, in the transaction of their change. */
async function noteEvents(ctx: Ctx, topic: string, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`insert into svc_event (workspace_id, topic, payload)
     select c.workspace_id, ${topic}, ${contactEvent('c', sql`b.public_id`)}
     from svc_contact c join svc_contact_book b on b.workspace_id = c.workspace_id and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.id = any(${ids}) order by c.id`,
  );
  announce(ctx);
}

/** The contact `c` of the book `b` in the shape of the email REST API. */
const CONTACT = sql`json_build_object('id', c.public_id, 'firstName', c.first_name, 'lastName', c.last_name,
  'email', c.email, 'subscribed', c.subscribed, 'unsubscribeReason', c.unsubscribe_reason,
  'properties', c.properties, 'contactBookId', b.public_id,
  'createdAt', ${iso(sql`c.create_date`)}, 'updatedAt', ${iso(sql`c.write_date`)})`;

verb('contactList', {
  kind: 'query',
  policy: teamReads,
  description:
    'Returns a page of contacts, oldest first, with the number of matching contacts and pages. Same shape as in' +
    ' the email REST API.',
  args: (arg) => ({
    bookId: arg.string({ description: 'Only contacts of this book. By default contacts of all books.' }),
    page: arg.int({ defaultValue: 1, description: 'Page number, starting at 1.' }),
    limit: arg.int({ defaultValue: limits.email.page, description: 'Contacts per page.' }),
    emails: arg.stringList({ description: 'Only contacts with these addresses, in any case.' }),
    ids: arg.stringList({ description: 'Only these contacts.' }),
  }),
  run: async (ctx, { bookId, emails, ids, ...page }) => {
    const book = bookId == null ? null : (await bookBy(ctx, bookId)).id;
    return contactPage(ctx, book, emails ?? null, ids ?? null, {
      page: pageNumber(page.page),
      limit: page.limit ?? limits.email.page,
    });
  },
});

async function contactPage(
  ctx: Ctx,
  book: number | null,
  emails: string[] | null,
  ids: string[] | null,
  { page, limit }: { page: number; limit: number },
): Promise<RawJson> {
  if (limit < 1 || limit > limits.contact.page)
    throw errors.badRequest(`limit must be from 1 to ${limits.contact.page}`);
  const addresses = emails?.map((email) => email.trim().toLowerCase());
  const where = sql.join(
    [
      sql`c.workspace_id = ${ctx.workspace.id}`,
      ...ifGiven(book, (id) => sql`c.book_id = ${id}`),
      ...ifGiven(addresses, (list) => sql`lower(c.email) = any(${list})`),
      ...ifGiven(ids, (list) => sql`c.public_id = any(${list})`),
    ],
    ' and ',
  );
  const row = await jsonRow<{ json: string; n: number; count: number }>(
    ctx.db,
    sql`select coalesce(json_agg(p.shown), '[]')::text as json, count(*)::int as n,
       (select count(*)::int from svc_contact c where ${where}) as count
     from (
       select ${CONTACT} as shown
       from (select * from svc_contact c where ${where} order by c.id limit ${limit} offset ${(page - 1) * limit}) c
       join svc_contact_book b on b.workspace_id = c.workspace_id and b.id = c.book_id order by c.id
     ) p`,
    ['n', 'count'],
  );
  const pages = Math.ceil(row!.count / limit);
  return new RawJson(`{"data":${row!.json},"count":${row!.count},"totalPage":${pages}}`, row!.n);
}

/** The condition, when there is something to ask for. */
const ifGiven = <T>(given: T | null | undefined, condition: (given: T) => Sql): Sql[] =>
  given === null || given === undefined ? [] : [condition(given)];

verb('contactRead', {
  kind: 'query',
  policy: teamReads,
  description: 'Returns a contact of a book. Same shape as in the email REST API.',
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    id: arg.string({ required: true, description: 'Contact id.' }),
  }),
  async run(ctx, { bookId, id }) {
    const book = await bookBy(ctx, bookId);
    const row = await jsonRow(
      ctx.db,
      sql`select ${CONTACT}::text as json
       from svc_contact c join svc_contact_book b on b.workspace_id = c.workspace_id and b.id = c.book_id
       where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${book.id} and c.public_id = ${id}`,
    );
    if (!row) throw errors.notFound('Contact');
    return new RawJson(row.json, 1);
  },
});
