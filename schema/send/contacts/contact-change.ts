import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { announce, emit } from '../../../src/engine/work/events.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { teamWrites } from '../kit/policies.ts';
import { bookBy } from './books.ts';
import { contactEvent } from './contact-event.ts';
import {
  type ContactInput,
  type ContactRow,
  contactRow,
  merged,
  personName,
  propertiesOf,
} from './contact-input.ts';
import { putContacts } from './put.ts';

const Contact = builder.inputType('ContactInput', {
  description: 'A contact. What is left out stays as it is.',
  fields: (t) => ({
    email: t.string({ required: true }),
    firstName: t.string(),
    lastName: t.string(),
    properties: t.field({ type: 'JSON', description: 'Texts by name.' }),
    subscribed: t.boolean(),
  }),
});

verb('contactPut', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Adds a contact to a book, or changes the one with that address: properties come together, and nobody who has unsubscribed is subscribed again. Answers with its id.',
  args: (arg) => ({
    bookId: arg.string({ required: true }),
    contact: arg({ type: Contact, required: true }),
  }),
  type: 'String',
  run: (ctx, { bookId, contact }) =>
    ctx.tx(async (tx) => {
      const book = await bookBy(tx, bookId);
      const [put] = await putContacts(tx, book, [contactRow(contact as ContactInput)]);
      return put!.public_id;
    }),
});

verb('contactsPut', {
  kind: 'mutation',
  policy: teamWrites,
  description: `Adds or changes up to ${limits.contact.bulk} contacts of a book, all or none; an address that is given twice counts once. Answers with the number given.`,
  args: (arg) => ({
    bookId: arg.string({ required: true }),
    contacts: arg({ type: [Contact], required: true }),
  }),
  type: 'Int',
  run: (ctx, { bookId, contacts }) =>
    ctx.tx(async (tx) => {
      const book = await bookBy(tx, bookId);
      if (contacts.length > limits.contact.bulk)
        throw errors.badRequest(`At most ${limits.contact.bulk} contacts in one request.`);
      await putContacts(tx, book, merged((contacts as ContactInput[]).map(numberedRow)));
      return contacts.length;
    }),
});

/** Among many a refusal says which one it is about. */
function numberedRow(input: ContactInput, at: number): ContactRow {
  try {
    return contactRow(input);
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.kind, `${at}: ${error.message}`) : error;
  }
}

const Change = builder.inputType('ContactChange', {
  description: 'What is left out stays as it is.',
  fields: (t) => ({
    firstName: t.string(),
    lastName: t.string(),
    properties: t.field({ type: 'JSON', description: 'Come together with those there are.' }),
    subscribed: t.boolean(),
  }),
});

verb('contactUpdate', {
  kind: 'mutation',
  policy: teamWrites,
  description: 'Changes a contact of a book; this also subscribes one again. Answers with its id.',
  args: (arg) => ({
    bookId: arg.string({ required: true }),
    id: arg.string({ required: true }),
    change: arg({ type: Change, required: true }),
  }),
  type: 'String',
  run: (ctx, { bookId, id, change }) => updateContact(ctx, bookId, id, change as Partial<ContactInput>),
});

function updateContact(ctx: Ctx, bookId: string, id: string, change: Partial<ContactInput>): Promise<string> {
  const named = (field: 'firstName' | 'lastName', column: Sql) =>
    change[field] === undefined ? column : sql`${personName(field, change[field])}::text`;
  const subscribed = sql`${sql.param(change.subscribed ?? null)}::bool`;
  return ctx.tx(async (tx) => {
    const book = await bookBy(tx, bookId);
    const [row] = await tx.db.rows<{ event: Record<string, unknown> }>(
      sql`update svc_contact c set first_name = ${named('firstName', sql`first_name`)},
         last_name = ${named('lastName', sql`last_name`)},
         properties = properties || ${JSON.stringify(propertiesOf(change.properties))}::jsonb,
         subscribed = coalesce(${subscribed}, subscribed),
         unsubscribe_reason = case when ${subscribed} then null
           when not ${subscribed} then coalesce(unsubscribe_reason, 'UNSUBSCRIBED') else unsubscribe_reason end,
         write_date = now(), write_uid = ${tx.principal?.userId ?? null}
       where c.workspace_id = ${tx.workspace.id} and c.book_id = ${book.id} and c.public_id = ${id}
       returning ${contactEvent('c', sql`${book.public_id}::text`)} as event`,
    );
    if (!row) throw errors.notFound('Contact');
    await emit(tx, 'contact.updated', row.event);
    return id;
  });
}

verb('contactDelete', {
  kind: 'mutation',
  policy: teamWrites,
  description: 'Deletes a contact of a book.',
  args: (arg) => ({ bookId: arg.string({ required: true }), id: arg.string({ required: true }) }),
  type: 'Boolean',
  async run(ctx, { bookId, id }) {
    if ((await deleteContacts(ctx, bookId, [id])) === 0) throw errors.notFound('Contact');
    return true;
  },
});

verb('contactsDelete', {
  kind: 'mutation',
  policy: teamWrites,
  description: `Deletes up to ${limits.contact.bulk} contacts of a book; ids that are none of it are passed over. Answers with the number deleted.`,
  args: (arg) => ({ bookId: arg.string({ required: true }), ids: arg.stringList({ required: true }) }),
  type: 'Int',
  run: (ctx, { bookId, ids }) => deleteContacts(ctx, bookId, ids),
});

function deleteContacts(ctx: Ctx, bookId: string, ids: string[]): Promise<number> {
  if (ids.length > limits.contact.bulk)
    throw errors.badRequest(`contactIds: at most ${limits.contact.bulk}.`);
  return ctx.tx(async (tx) => {
    const book = await bookBy(tx, bookId);
    const [row] = await tx.db.rows<{ n: number }>(
      sql`with gone as (
         delete from svc_contact
         where workspace_id = ${tx.workspace.id} and book_id = ${book.id} and public_id = any(${ids}) returning *
       ), told as (
         insert into svc_event (workspace_id, topic, payload)
         select workspace_id, 'contact.deleted', ${contactEvent('gone', sql`${book.public_id}::text`)}
         from gone order by gone.id
       )
       select count(*)::int as n from gone`,
    );
    announce(tx);
    return row!.n;
  });
}
