import { GraphQLString } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { describeExpectedVersion, lockVersion } from '../../../src/engine/write/versions.ts';
import { errors } from '../../../src/errors.ts';
import { formatValue } from '../../../src/json.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { DeletedRecord } from '../../settings/deleted.ts';
import { readResourceById, readResourceList, returnResource } from '../../settings/read-resource.ts';
import { insertRow } from '../kit/insert-row.ts';
import { TEAM_READ_POLICY, TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { createPublicId } from '../kit/public-id.ts';
import { buildJsonParts } from '../kit/shape.ts';
import {
  type BookInput,
  BookInputShape,
  buildBookColumns,
  CONFIRM_CONTENT,
  CONFIRM_SUBJECT,
  findConfirmationSender,
} from './book-input.ts';
import { bookResource, bookShape, bookWithCounts, buildBookCounts, ContactBook } from './book-shape.ts';

defineModel('svc.contact.book', {
  group: 'data',
  order: 'id desc',
  team: 'r',
  boundBy: null,
  access: { [ADMIN_GROUP]: 'crwu' },
  ceiling: { [ADMIN_GROUP]: 'crwu' },
  graph: {
    type: 'ContactBook',
    one: 'contactBook',
    many: 'contactBooks',
    key: 'public_id',
    names: { double_opt_in: 'doubleOptInEnabled' },
    prisma: true,
  },
  prepare: (_ctx, list, ids) => {
    for (const values of list) validateBookValues(values, ids === null);
  },
  beforeUnlink: rejectUsedBooks,
});

/** Validates books that are changed through the record API. */
function validateBookValues(values: Values, isNew: boolean): void {
  const text = (name: string) =>
    name in values ? (values[name] ? formatValue(values[name]) : null) : undefined;
  const columns = buildBookColumns({
    name: text('name'),
    emoji: text('emoji'),
    properties: values.properties || undefined,
    variables: Array.isArray(values.variables) ? (values.variables as string[]) : undefined,
    doubleOptInFrom: text('double_opt_in_from'),
    doubleOptInSubject: isNew ? (text('double_opt_in_subject') ?? null) : text('double_opt_in_subject'),
    doubleOptInContent: isNew ? (text('double_opt_in_content') ?? null) : text('double_opt_in_content'),
  });
  const { properties: _, ...plain } = columns;
  Object.assign(values, plain);
  if (isNew) setHookValues(values, { public_id: createPublicId() });
}

const BOOK_JSON = buildJsonParts(bookShape, 'b');
const BOOK_WITH_COUNTS_JSON = buildJsonParts(bookWithCounts, 'b');

export const contactBookList = defineOperation('contactBookList', {
  kind: 'query',
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `contactBooks`.',
  policy: TEAM_READ_POLICY,
  description: 'Returns all contact books, as the email REST API does. In GraphQL, use `contactBooks`.',
  args: () => ({}),
  type: [ContactBook],
  async run(ctx) {
    const row = await readJsonRow<{ json: string; n: number }>(
      ctx.db,
      sql`select coalesce(json_agg(json_build_object(${BOOK_WITH_COUNTS_JSON}) order by b.id desc), '[]')::text as json,
         count(*)::int as n
       from svc_contact_book b ${buildBookCounts(ctx.workspace.id)} where b.workspace_id = ${ctx.workspace.id}`,
      ['n'],
    );
    return new RawJson(row!.json, row!.n);
  },
  read: (ctx, _args, info) => readResourceList(ctx, bookResource, info),
});

export const contactBookRead = defineOperation('contactBookRead', {
  kind: 'query',
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `contactBook`.',
  policy: TEAM_READ_POLICY,
  description: 'Returns a contact book, as the email REST API does. In GraphQL, use `contactBook`.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Contact book id.' }) }),
  type: ContactBook,
  nullable: true,
  run: (ctx, { id }) => loadBookJson(ctx, String(id), true),
  read: (ctx, { id }, info) => readResourceById(ctx, bookResource, id, info),
});

export const contactBookCreate = defineOperation('contactBookCreate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Creates a contact book and returns it.',
  args: (arg) => ({
    book: arg({
      type: BookInputShape.ref,
      required: true,
      description: 'Name and settings of the new contact book.',
    }),
  }),
  type: ContactBook,
  run: (ctx, { book }) => createBook(ctx, book),
  answer: (ctx, book, _args, info) =>
    returnResource(ctx, bookResource, book.value<{ id: string }>().id, info),
});

export const contactBookUpdate = defineOperation('contactBookUpdate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Updates a contact book and returns it.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Contact book id.' }),
    book: arg({ type: BookInputShape.ref, required: true, description: 'Fields to change.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('contact book') }),
  }),
  type: ContactBook,
  run: (ctx, { id, book, expectedVersion }) =>
    ctx.tx((tx) => updateBook(tx, String(id), book, expectedVersion)),
  answer: (ctx, _shown, { id }, info) => returnResource(ctx, bookResource, id, info),
});

export const contactBookDelete = defineOperation('contactBookDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Deletes a contact book and its contacts. Rejected while a campaign that uses the book is scheduled, ' +
    'running or paused.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Contact book id.' }) }),
  type: DeletedRecord,
  returns: GraphQLString,
  run: (ctx, { id }) => deleteBook(ctx, String(id)),
  answer: (_ctx, id) => ({ id }),
});

async function createBook(ctx: Ctx, input: BookInput): Promise<RawJson> {
  if (!input.name) throw errors.badRequest('name: a name is required.');
  const columns = buildBookColumns({ doubleOptInSubject: null, doubleOptInContent: null, ...input });
  await checkSender(ctx, input, null, columns.double_opt_in === true);
  const id = createPublicId();
  await insertRow(ctx, 'svc_contact_book', { ...columns, public_id: id });
  return loadBookJson(ctx, id, false);
}

async function updateBook(
  ctx: Ctx,
  id: string,
  input: BookInput,
  expectedVersion: number | null | undefined,
): Promise<RawJson> {
  const row = sql`svc_contact_book where workspace_id = ${ctx.workspace.id} and public_id = ${id}`;
  await lockVersion(ctx, 'contact book', row, expectedVersion);
  const columns: Record<string, unknown> = {
    ...buildBookColumns(input),
    write_uid: ctx.principal?.userId ?? null,
  };
  const book = await getBook(ctx, id);
  const isOn = columns.double_opt_in === undefined ? book.double_opt_in : columns.double_opt_in === true;
  await checkSender(ctx, input, book, isOn);
  const sets = Object.entries(columns).map(([name, value]) => sql`${sql.id(name)} = ${value}`);
  await ctx.db.rows(
    sql`update svc_contact_book set ${sql.join(sets)}, row_version = row_version + 1, write_date = now()
     where workspace_id = ${ctx.workspace.id} and public_id = ${id}`,
  );
  return loadBookJson(ctx, id, false);
}

/** Checks that a given sender is on a verified domain, and that double opt-in has a sender. */
async function checkSender(ctx: Ctx, input: BookInput, book: BookRow | null, isOn: boolean): Promise<void> {
  const from = input.doubleOptInFrom === undefined ? book?.double_opt_in_from : input.doubleOptInFrom;
  const isAsked = input.doubleOptInFrom !== undefined || input.doubleOptInEnabled != null;
  if (isAsked && (from?.trim() || isOn)) await findConfirmationSender(ctx, from?.trim() || null);
}

function deleteBook(ctx: Ctx, id: string): Promise<string> {
  return ctx.tx(async (tx) => {
    const book = await getBook(tx, id);
    await rejectUsedBooks(tx, [book.id]);
    await tx.db.rows(
      sql`update svc_campaign set book_id = null where workspace_id = ${tx.workspace.id} and book_id = ${book.id}`,
    );
    await tx.db.rows(
      sql`delete from svc_contact_book where workspace_id = ${tx.workspace.id} and id = ${book.id}`,
    );
    return id;
  });
}

async function rejectUsedBooks(ctx: Ctx, ids: number[]): Promise<void> {
  const [campaign] = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_campaign
     where workspace_id = ${ctx.workspace.id} and book_id = any(${ids})
       and status in ('SCHEDULED', 'RUNNING', 'PAUSED') limit 1`,
  );
  if (campaign)
    throw errors.badRequest(`The campaign ${campaign.name} uses this book. Delete the campaign first.`);
}

export interface BookRow {
  id: number;
  public_id: string;
  name: string;
  variables: string[];
  double_opt_in: boolean;
  double_opt_in_from: string | null;
  double_opt_in_subject: string;
  double_opt_in_content: string;
}

export async function getBook(ctx: Ctx, publicId: string): Promise<BookRow> {
  const [row] = await ctx.db.rows<BookRow>(
    sql`select id, public_id, name, variables, double_opt_in, double_opt_in_from,
       coalesce(double_opt_in_subject, ${CONFIRM_SUBJECT}) as double_opt_in_subject,
       coalesce(double_opt_in_content, ${CONFIRM_CONTENT}) as double_opt_in_content
     from svc_contact_book where workspace_id = ${ctx.workspace.id} and public_id = ${publicId}`,
  );
  if (!row) throw errors.notFound('Contact book');
  return row;
}

async function loadBookJson(ctx: Ctx, id: string, withCount: boolean): Promise<RawJson> {
  const row = await readJsonRow(
    ctx.db,
    sql`select json_build_object(${withCount ? BOOK_WITH_COUNTS_JSON : BOOK_JSON})::text as json
     from svc_contact_book b ${withCount ? buildBookCounts(ctx.workspace.id) : sql.empty}
     where b.workspace_id = ${ctx.workspace.id} and b.public_id = ${id}`,
  );
  if (!row) throw errors.notFound('Contact book');
  return new RawJson(row.json, 1);
}
