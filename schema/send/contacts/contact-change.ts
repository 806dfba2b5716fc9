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
  description: 'A contact. Omitted fields of an existing contact keep their values.',
  fields: (t) => ({
    email: t.string({
      required: true,
      description: 'Email address. Identifies an existing contact, ignoring case.',
    }),
    firstName: t.string({ description: 'First name.' }),
    lastName: t.string({ description: 'Last name.' }),
    properties: t.field({
      type: 'JSON',
      description: 'Your own key/value pairs of strings. Merged into the existing ones.',
    }),
    subscribed: t.boolean({
      description:
        'Whether campaigns are sent to the contact. Cannot subscribe an unsubscribed contact again.',
    }),
  }),
});

verb('contactPut', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Creates a contact, or updates the one with this address, and returns its id. Properties are merged; an ' +
    'unsubscribed contact stays unsubscribed.',
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    contact: arg({
      type: Contact,
      required: true,
      description: 'Contact to create or update, found by its address.',
    }),
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
  description:
    `Creates or updates up to ${limits.contact.bulk} contacts. If one is invalid, none is saved. ` +
    `Returns the number of contacts given; a repeated address counts once.`,
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    contacts: arg({
      type: [Contact],
      required: true,
      description: 'Contacts to create or update, each found by its address.',
    }),
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
  description: 'Changes to a contact. Omitted fields keep their values.',
  fields: (t) => ({
    firstName: t.string({ description: 'First name.' }),
    lastName: t.string({ description: 'Last name.' }),
    properties: t.field({
      type: 'JSON',
      description: 'Your own key/value pairs of strings. Merged into the existing ones.',
    }),
    subscribed: t.boolean({ description: 'Whether campaigns are sent to the contact.' }),
  }),
});

verb('contactUpdate', {
  kind: 'mutation',
  policy: teamWrites,
  description: 'Updates a contact and returns its id. Can subscribe an unsubscribed contact again.',
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    id: arg.string({ required: true, description: 'Contact id.' }),
    change: arg({ type: Change, required: true, description: 'Fields to change.' }),
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
  description: 'Deletes a contact.',
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    id: arg.string({ required: true, description: 'Contact id.' }),
  }),
  type: 'Boolean',
  async run(ctx, { bookId, id }) {
    if ((await deleteContacts(ctx, bookId, [id])) === 0) throw errors.notFound('Contact');
    return true;
  },
});

verb('contactsDelete', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    `Deletes up to ${limits.contact.bulk} contacts of a book; ids not in the book are skipped. ` +
    `Returns the number deleted.`,
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    ids: arg.stringList({ required: true, description: 'Contacts to delete.' }),
  }),
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
       ), noted as (
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
