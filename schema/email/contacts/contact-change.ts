import { GraphQLList, GraphQLString } from 'graphql';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { describeExpectedVersion, lockVersion } from '../../../src/engine/write/versions.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { resolveRecords, returnContact } from '../kit/resolve-records.ts';
import { getBook } from './books.ts';
import { buildContactEvent, recordContactEvents } from './contact-event.ts';
import {
  ContactChangeShape,
  type ContactInput,
  ContactInputShape,
  type ContactRow,
  type ContactUpdate,
  mergeContacts,
  parseContact,
  parseProperties,
  validatePersonName,
} from './contact-input.ts';
import { putContacts } from './put-contacts.ts';

export const contactPut = defineOperation('contactPut', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Creates a contact, or updates the existing contact with this address, and returns it. Properties are ' +
    'merged; an unsubscribed contact stays unsubscribed.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    input: arg({
      type: ContactInputShape.ref,
      required: true,
      description: 'Contact to create or update, matched by email address.',
    }),
  }),
  ...returnContact,
  run: (ctx, { bookId, input }) =>
    ctx.tx(async (tx) => {
      const book = await getBook(tx, String(bookId));
      const [contact] = await putContacts(tx, book, [parseContact(input)]);
      return contact!.public_id;
    }),
});

export const contactsPut = defineOperation('contactsPut', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    `Creates or updates up to ${limits.contact.bulk} contacts and returns them. A repeated address is returned ` +
    'once. If one contact is invalid, none is saved.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    inputs: arg({
      type: [ContactInputShape.ref],
      required: true,
      description: 'Contacts to create or update, matched by email address.',
    }),
  }),
  type: [getRecordRef('svc.contact')],
  returns: new GraphQLList(GraphQLString),
  run: (ctx, { bookId, inputs }) =>
    ctx.tx(async (tx) => {
      const book = await getBook(tx, String(bookId));
      if (inputs.length > limits.contact.bulk)
        throw errors.badRequest(`A request may contain at most ${limits.contact.bulk} contacts.`);
      const rows = mergeContacts(inputs.map(parseNumberedContact));
      const savedContacts = await putContacts(tx, book, rows);
      const ids = new Map(
        savedContacts.map((savedContact) => [savedContact.email.toLowerCase(), savedContact.public_id]),
      );
      return rows.map((row) => ids.get(row.email.toLowerCase())!);
    }),
  answer: (ctx, ids, _args, info) => resolveRecords(ctx, 'svc.contact', ids, info),
});

/** Prefixes errors with the contact's index in the batch. */
function parseNumberedContact(input: ContactInput, index: number): ContactRow {
  try {
    return parseContact(input);
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.kind, `${index}: ${error.message}`) : error;
  }
}

export const contactUpdate = defineOperation('contactUpdate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Updates a contact and returns it. Can subscribe an unsubscribed contact again.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    id: arg.id({ required: true, description: 'Contact id.' }),
    input: arg({ type: ContactChangeShape.ref, required: true, description: 'Fields to change.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('contact') }),
  }),
  ...returnContact,
  run: (ctx, { bookId, id, input, expectedVersion }) =>
    updateContact(ctx, String(bookId), String(id), input, expectedVersion),
});

function updateContact(
  ctx: Ctx,
  bookId: string,
  id: string,
  change: ContactUpdate,
  expectedVersion: number | null | undefined,
): Promise<string> {
  const buildNameValue = (field: 'firstName' | 'lastName', column: Sql) =>
    change[field] === undefined ? column : sql`${validatePersonName(change[field], field)}::text`;
  // A subscription is one click, not part of a form, so it does not conflict with unsaved edits.
  const changesText = [change.firstName, change.lastName, change.properties].some(
    (value) => value !== undefined,
  );
  const subscribedSql = sql`${sql.param(change.subscribed ?? null)}::bool`;
  return ctx.tx(async (tx) => {
    const book = await getBook(tx, bookId);
    const condition = sql`workspace_id = ${tx.workspace.id} and book_id = ${book.id} and public_id = ${id}`;
    await lockVersion(tx, 'contact', sql`svc_contact where ${condition}`, expectedVersion);
    const [row] = await tx.db.rows<{ event: Record<string, unknown> }>(
      sql`with changed as (update svc_contact set first_name = ${buildNameValue('firstName', sql`first_name`)},
         last_name = ${buildNameValue('lastName', sql`last_name`)},
         properties = properties || ${JSON.stringify(parseProperties(change.properties))}::jsonb,
         subscribed = coalesce(${subscribedSql}, subscribed),
         unsubscribe_reason = case when ${subscribedSql} then null
           when not ${subscribedSql} then coalesce(unsubscribe_reason, 'UNSUBSCRIBED') else unsubscribe_reason end,
         row_version = row_version + ${changesText ? 1 : 0}, write_date = now(),
         write_uid = ${tx.principal?.userId ?? null}
       where ${condition} returning *)
       select ${buildContactEvent('changed', sql`${book.public_id}::text`)} as event from changed`,
    );
    if (!row) throw errors.notFound('Contact');
    await emitEvent(tx, 'contact.updated', row.event);
    return id;
  });
}

export const contactDelete = defineOperation('contactDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Deletes a contact and returns its id.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    id: arg.id({ required: true, description: 'Contact id.' }),
  }),
  type: 'ID',
  async run(ctx, { bookId, id }) {
    const deleted = await deleteContacts(ctx, String(bookId), [String(id)]);
    if (deleted.length === 0) throw errors.notFound('Contact');
    return id;
  },
});

export const contactsDelete = defineOperation('contactsDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: TEAM_WRITE_POLICY,
  description:
    `Deletes up to ${limits.contact.bulk} contacts of a book; ids not in the book are skipped. ` +
    'Returns the ids of the deleted contacts.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    ids: arg.idList({ required: true, description: 'Contacts to delete.' }),
  }),
  type: ['ID'],
  run: (ctx, { bookId, ids }) => deleteContacts(ctx, String(bookId), ids.map(String)),
});

function deleteContacts(ctx: Ctx, bookId: string, ids: string[]): Promise<string[]> {
  if (ids.length > limits.contact.bulk)
    throw errors.badRequest(`contactIds: must contain at most ${limits.contact.bulk} ids.`);
  return ctx.tx(async (tx) => {
    const book = await getBook(tx, bookId);
    const locked = await tx.db.rows<{ id: number }>(
      sql`select id from svc_contact
       where workspace_id = ${tx.workspace.id} and book_id = ${book.id} and public_id = any(${ids})
       order by id for update`,
    );
    const found = locked.map((row) => row.id);
    await recordContactEvents(tx.db, tx.workspace.id, 'contact.deleted', found);
    const rows = await tx.db.rows<{ public_id: string }>(
      sql`with deleted as (
         delete from svc_contact where workspace_id = ${tx.workspace.id} and id = any(${found})
         returning workspace_id, id, public_id)
       select public_id from deleted where workspace_id = ${tx.workspace.id} order by id`,
    );
    return rows.map((row) => row.public_id);
  });
}
