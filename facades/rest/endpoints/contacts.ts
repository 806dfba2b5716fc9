import { z } from '@hono/zod-openapi';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import type { PageText } from '../../../src/engine/value/page-text.ts';
import { limits } from '../../../src/limits.ts';
import { defineEndpoint, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { REST_HEADERS } from '../errors.ts';
import { buildShapeList, referToShape } from '../shape-references.ts';
import {
  AllContactsQuery,
  BookQuery,
  ContactChange,
  ContactId,
  ContactIds,
  NewContact,
  NewContacts,
} from '../shapes/contact.ts';

const BASE = '/v1/contactBooks/{contactBookId}/contacts';

const book = z.object({ contactBookId: z.string().describe('Id of the contact book.') });
const contact = book.extend({ contactId: z.string().describe('Id of the contact in this book.') });
const common = { tags: ['Contacts'] };

/** Returns a page as a bare array, as the client libraries expect, with the counts in headers. */
const buildArrayResponse = ({ list, counts }: PageText): Response =>
  new Response(list.text, {
    headers: { ...REST_HEADERS, 'x-total-count': `${counts.count}`, 'x-total-page': `${counts.totalPage}` },
  });

const all = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: '/v1/contacts',
    operationId: 'listContacts',
    summary: 'List the contacts in all books, oldest first',
    responses: buildResponses('One page of contacts.', referToShape('ContactPage'), 400),
  },
  query: AllContactsQuery,
  run: (ctx, { query }) => runTextOperation(ctx, 'contactPage', query),
});

const list = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: BASE,
    operationId: 'listBookContacts',
    summary: 'List the contacts in a book, oldest first',
    request: { params: book },
    responses: buildResponses(
      'One page of contacts. The headers X-Total-Count and X-Total-Page give the number of contacts and of pages.',
      buildShapeList('Contact'),
      400,
      404,
    ),
  },
  query: BookQuery,
  run: async (ctx, { params, query }) =>
    buildArrayResponse(
      await call(ctx, 'contactPage', {
        limit: limits.contact.page,
        ...query,
        bookId: params.contactBookId!,
      }),
    ),
});

const create = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: BASE,
    operationId: 'createContact',
    summary: 'Create a contact, or update the one with this address',
    request: { params: book },
    responses: buildResponses('The id of the contact.', ContactId, 400, 404, 413),
  },
  body: NewContact,
  operation: 'contactPut',
  run: (ctx, { params, body }) => upsertContact(ctx, params.contactBookId, body),
});

/** The email address identifies the contact. The id in the path is ignored. */
const upsert = defineEndpoint({
  route: {
    ...common,
    method: 'put',
    path: `${BASE}/{contactId}`,
    operationId: 'upsertContact',
    summary: 'Create a contact, or update the one with this address',
    request: { params: contact },
    responses: buildResponses('The id of the contact.', ContactId, 400, 404, 413),
  },
  body: NewContact,
  operation: 'contactPut',
  run: (ctx, { params, body }) => upsertContact(ctx, params.contactBookId, body),
});

async function upsertContact(
  ctx: Ctx,
  bookId: string,
  input: Operations['contactPut']['args']['input'],
): Promise<string> {
  return JSON.stringify({ contactId: await call(ctx, 'contactPut', { bookId, input }) });
}

const createMany = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: `${BASE}/bulk`,
    operationId: 'createContacts',
    summary: `Add or change up to ${limits.contact.bulk} contacts, all or none`,
    request: { params: book },
    responses: buildResponses(
      'The number of contacts in the request.',
      z.object({
        message: z.string().describe('Human-readable confirmation message.'),
        count: z.int().describe('Number of contacts in the request.'),
      }),
      400,
      404,
      413,
    ),
  },
  body: NewContacts,
  operation: 'contactsPut',
  async run(ctx, { params, body }) {
    await call(ctx, 'contactsPut', { bookId: params.contactBookId!, inputs: body });
    const count = body.length;
    return JSON.stringify({ message: `${count} contacts were added or changed.`, count });
  },
});

const getEndpoint = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: `${BASE}/{contactId}`,
    operationId: 'getContact',
    summary: 'Get a contact',
    request: { params: contact },
    responses: buildResponses(
      'The contact with its properties and subscription.',
      referToShape('Contact'),
      404,
    ),
  },
  run: (ctx, { params }) =>
    runTextOperation(ctx, 'contactRead', { bookId: params.contactBookId!, id: params.contactId! }),
});

const update = defineEndpoint({
  route: {
    ...common,
    method: 'patch',
    path: `${BASE}/{contactId}`,
    operationId: 'updateContact',
    summary: 'Update a contact; can subscribe it again',
    request: { params: contact },
    responses: buildResponses('The id of the contact.', ContactId, 400, 404, 413),
  },
  body: ContactChange,
  operation: 'contactUpdate',
  async run(ctx, { params, body }) {
    const request = { bookId: params.contactBookId!, id: params.contactId!, input: body };
    return JSON.stringify({ contactId: await call(ctx, 'contactUpdate', request) });
  },
});

const remove = defineEndpoint({
  route: {
    ...common,
    method: 'delete',
    path: `${BASE}/{contactId}`,
    operationId: 'deleteContact',
    summary: 'Delete a contact',
    request: { params: contact },
    responses: buildResponses(
      'The contact was deleted.',
      z.object({ success: z.literal(true).describe('Always true.') }),
      404,
    ),
  },
  async run(ctx, { params }) {
    await call(ctx, 'contactDelete', { bookId: params.contactBookId!, id: params.contactId! });
    return '{"success":true}';
  },
});

const removeMany = defineEndpoint({
  route: {
    ...common,
    method: 'delete',
    path: `${BASE}/bulk`,
    operationId: 'deleteContacts',
    summary: `Delete up to ${limits.contact.bulk} contacts`,
    request: { params: book },
    responses: buildResponses(
      'The number of deleted contacts. Ids that are not in the book are skipped.',
      z.object({
        success: z.literal(true).describe('Always true.'),
        count: z.int().describe('Number of deleted contacts.'),
      }),
      400,
      404,
      413,
    ),
  },
  body: ContactIds,
  operation: 'contactsDelete',
  async run(ctx, { params, body }) {
    const request = { bookId: params.contactBookId!, ids: body.contactIds };
    const { length: count } = await call(ctx, 'contactsDelete', request);
    return JSON.stringify({ success: true, count });
  },
});

// Fixed paths come before paths with an id.
export const contacts = [all, list, create, createMany, removeMany, getEndpoint, update, upsert, remove];
