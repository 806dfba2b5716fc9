import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineRecordShape } from '../../../src/engine/operation/record-shape.ts';
import { buildShapePairsSql } from '../../../src/engine/operation/shape.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { PageText } from '../../../src/engine/value/page-text.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { parsePageNumber } from '../kit/json-list.ts';
import { definePage } from '../kit/pages.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { createPublicId } from '../kit/public-id.ts';
import { resolveRecord } from '../kit/resolve-records.ts';
import { getBook } from './books.ts';
import { type PendingContact, sendConfirmations } from './confirm.ts';
import { recordContactEvents } from './contact-event.ts';
import { parseContactAddress, parseProperties, validatePersonName } from './contact-input.ts';

defineModel('svc.contact', {
  group: 'data',
  display: 'email',
  searchNames: ['email', 'first_name', 'last_name'],
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'crwu' },
  ceiling: { [ADMIN_GROUP]: 'crwu' },
  team: 'r',
  // Books belong to the whole workspace, so a key bound to a domain can read them too.
  boundBy: null,
  graph: {
    type: 'Contact',
    one: 'contact',
    many: 'contacts',
    key: 'public_id',
    names: { create_date: 'createdAt', write_date: 'updatedAt' },
    policy: TEAM_READ_POLICY,
    writes: false,
  },
  prepare: async (ctx, list, ids) => {
    for (const values of list) validateContactValues(values, ids === null);
    if (ids === null) await markUnconfirmedPending(ctx, list);
  },
  afterCreate: async (ctx, ids) => {
    await recordContactEvents(ctx.db, ctx.workspace.id, 'contact.created', ids);
    await requestConfirmation(ctx, ids);
  },
  afterWrite: (ctx, ids) => recordContactEvents(ctx.db, ctx.workspace.id, 'contact.updated', ids),
  beforeUnlink: (ctx, ids) => recordContactEvents(ctx.db, ctx.workspace.id, 'contact.deleted', ids),
});

/** Validates contacts that are changed through the record API. */
function validateContactValues(values: Values, isNew: boolean): void {
  const text = (name: string) => (values[name] || null) as string | null;
  if (isNew || 'email' in values) values.email = parseContactAddress(String(values.email || ''));
  validatePersonName(text('first_name'), 'first_name');
  validatePersonName(text('last_name'), 'last_name');
  if (values.properties) parseProperties(values.properties);
  if (values.subscribed === true) values.unsubscribe_reason = null;
  if (values.subscribed === false && !values.unsubscribe_reason) values.unsubscribe_reason = 'UNSUBSCRIBED';
  if (isNew) setHookValues(values, { public_id: createPublicId() });
}

/** Leaves new contacts in a double opt-in book pending, unless `subscribed` is given. */
async function markUnconfirmedPending(ctx: Ctx, list: Values[]): Promise<void> {
  const newContacts = list.filter(
    (values) => values.subscribed === undefined && typeof values.book_id === 'number',
  );
  if (newContacts.length === 0) return;
  const books = newContacts.map((values) => values.book_id);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_contact_book
     where workspace_id = ${ctx.workspace.id} and id = any(${books}) and double_opt_in`,
  );
  const doubleOptInBooks = new Set<unknown>(rows.map((row) => row.id));
  for (const values of newContacts) if (doubleOptInBooks.has(values.book_id)) values.subscribed = false;
}

async function requestConfirmation(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<PendingContact & { book: string }>(
    sql`select b.public_id as book, c.public_id, c.email, c.first_name, c.last_name, c.properties
     from svc_contact c join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.id = any(${ids}) and b.double_opt_in
       and not c.subscribed and c.unsubscribe_reason is null`,
  );
  for (const [book, pending] of Map.groupBy(rows, (row) => row.book))
    await sendConfirmations(ctx, await getBook(ctx, book), pending);
}

const contactShape = defineRecordShape('Contact', {
  model: 'svc.contact',
  row: 'c',
  description: 'A person in a contact book.',
  parts: {
    id: true,
    firstName: true,
    lastName: true,
    email: { description: 'Email address. Unique within the book, ignoring case.' },
    subscribed: true,
    unsubscribeReason: {
      description:
        'Reason why the contact is not subscribed. Null if the contact is subscribed or has not confirmed yet.',
    },
    properties: { form: { type: 'object', additionalProperties: { type: 'string' } } },
    contactBookId: {
      type: 'ID',
      description: 'Contact book that contains the contact.',
      sql: sql`b.public_id`,
    },
    createdAt: { description: 'When the contact was created.' },
    updatedAt: { description: 'When the contact was last changed.' },
  },
});

const buildContactJson = () => sql`json_build_object(${buildShapePairsSql(contactShape)})`;

const ContactPageType = definePage('ContactPage', {
  model: 'svc.contact',
  item: contactShape,
  description: 'One page of contacts.',
  data: 'Contacts on this page, oldest first.',
  counts: { count: 'Number of matching contacts on all pages.', totalPage: 'Number of pages.' },
});

export const contactPage = defineOperation('contactPage', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `contacts`.',
  policy: TEAM_READ_POLICY,
  description:
    'Returns a page of contacts by number, oldest first. To page by cursor, or to filter, use `contacts`.',
  args: (arg) => ({
    bookId: arg.id({ description: 'Only contacts in this book. Defaults to all books.' }),
    page: arg.int({ defaultValue: 1, description: 'Page number, starting at 1.' }),
    limit: arg.int({ defaultValue: limits.email.page, description: 'Contacts per page.' }),
    emails: arg.stringList({ description: 'Only contacts with these addresses, ignoring case.' }),
    ids: arg.idList({ description: 'Only these contacts.' }),
  }),
  type: ContactPageType,
  run: async (ctx, { bookId, emails, ids, ...page }) => {
    const book = bookId == null ? null : (await getBook(ctx, String(bookId))).id;
    return loadContactPage(ctx, book, emails ?? null, ids?.map(String) ?? null, {
      page: parsePageNumber(page.page),
      limit: page.limit ?? limits.email.page,
    });
  },
});

async function loadContactPage(
  ctx: Ctx,
  book: number | null,
  emails: string[] | null,
  ids: string[] | null,
  { page, limit }: { page: number; limit: number },
): Promise<PageText> {
  if (limit < 1 || limit > limits.contact.page)
    throw errors.badRequest(`limit must be from 1 to ${limits.contact.page}`);
  const addresses = emails?.map((email) => email.trim().toLowerCase());
  const where = sql.join(
    [
      sql`c.workspace_id = ${ctx.workspace.id}`,
      ...buildIfSet(book, (id) => sql`c.book_id = ${id}`),
      ...buildIfSet(addresses, (list) => sql`lower(c.email) = any(${list})`),
      ...buildIfSet(ids, (list) => sql`c.public_id = any(${list})`),
    ],
    ' and ',
  );
  const row = await readJsonRow<{ json: string; n: number; count: number }>(
    ctx.db,
    sql`select coalesce(json_agg(p.shown), '[]')::text as json, count(*)::int as n,
       (select count(*)::int from svc_contact c where ${where}) as count
     from (
       select ${buildContactJson()} as shown
       from (select * from svc_contact c where ${where} order by c.id limit ${limit} offset ${(page - 1) * limit}) c
       join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = c.book_id order by c.id
     ) p`,
    ['n', 'count'],
  );
  const pages = Math.ceil(row!.count / limit);
  return new PageText(new RawJson(row!.json, row!.n), { count: row!.count, totalPage: pages });
}

const buildIfSet = <T>(value: T | null | undefined, condition: (setValue: T) => Sql): Sql[] =>
  value === null || value === undefined ? [] : [condition(value)];

export const contactRead = defineOperation('contactRead', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `contact`.',
  policy: TEAM_READ_POLICY,
  description:
    'Returns a contact in a book. Unlike `contact`, it fails if the book has no contact with this id.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    id: arg.id({ required: true, description: 'Contact id.' }),
  }),
  type: getRecordRef('svc.contact'),
  async run(ctx, { bookId, id }) {
    const book = await getBook(ctx, String(bookId));
    const row = await readJsonRow(
      ctx.db,
      sql`select ${buildContactJson()}::text as json
       from svc_contact c join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = c.book_id
       where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${book.id} and c.public_id = ${String(id)}`,
    );
    if (!row) throw errors.notFound('Contact');
    return new RawJson(row.json, 1);
  },
  answer: (ctx, _json, { id }, info) => resolveRecord(ctx, 'svc.contact', String(id), info),
});
