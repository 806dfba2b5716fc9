import { z } from '@hono/zod-openapi';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import type { PageText } from '../../../src/engine/value/page-text.ts';
import { limits } from '../../../src/limits.ts';
import { createEndpointFactory, runTextOperation } from '../endpoint.ts';
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

/** Returns a page as a bare array, as the client libraries expect, with the counts in headers. */
const buildArrayResponse = ({ list, counts }: PageText): Response =>
  new Response(list.text, {
    headers: { ...REST_HEADERS, 'x-total-count': `${counts.count}`, 'x-total-page': `${counts.totalPage}` },
  });

async function upsertContact(
  ctx: Ctx,
  bookId: string,
  input: Operations['contactPut']['args']['input'],
): Promise<string> {
  return JSON.stringify({ contactId: await call(ctx, 'contactPut', { bookId, input }) });
}

const defineEndpoint = createEndpointFactory('Contacts', {
  contactBookId: z.string().describe('Id of the contact book.'),
  contactId: z.string().describe('Id of the contact in this book.'),
});

// Fixed paths come before paths with an id.
export const contacts = [
  defineEndpoint({
    at: 'GET /v1/contacts',
    operationId: 'listContacts',
    summary: 'List the contacts in all books, oldest first',
    description:
      'Returns the contacts in all books. To filter by several addresses or ids, separate them with commas.',
    responses: buildResponses('One page of contacts.', referToShape('ContactPage'), 400),
    query: AllContactsQuery,
    run: (ctx, { query }) => runTextOperation(ctx, 'contactPage', query),
  }),
  defineEndpoint({
    at: 'GET /v1/contactBooks/{contactBookId}/contacts',
    operationId: 'listBookContacts',
    summary: 'List the contacts in a book, oldest first',
    description:
      'Returns the contacts in one book. To filter by several addresses or ids, separate them with commas.',
    responses: buildResponses(
      'One page of contacts. The headers X-Total-Count and X-Total-Page give the number of contacts and of pages.',
      buildShapeList('Contact'),
      400,
      404,
    ),
    query: BookQuery,
    run: async (ctx, { params, query }) =>
      buildArrayResponse(
        await call(ctx, 'contactPage', {
          limit: limits.contact.page,
          ...query,
          bookId: params.contactBookId!,
        }),
      ),
  }),
  defineEndpoint({
    at: 'POST /v1/contactBooks/{contactBookId}/contacts',
    operationId: 'createContact',
    summary: 'Create a contact, or update the one with this address',
    description:
      'The address identifies the contact within its book, ignoring case. In a book with double opt-in, a ' +
      'new contact receives a confirmation email first.',
    example: { email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee', properties: { company: 'Acme' } },
    responses: buildResponses('The id of the contact.', ContactId, 400, 404, 413),
    body: NewContact,
    operation: 'contactPut',
    run: (ctx, { params, body }) => upsertContact(ctx, params.contactBookId, body),
  }),
  defineEndpoint({
    at: 'POST /v1/contactBooks/{contactBookId}/contacts/bulk',
    operationId: 'createContacts',
    summary: `Add or change up to ${limits.contact.bulk} contacts, all or none`,
    description:
      `Creates or updates up to ${limits.contact.bulk} contacts in one transaction. If one is invalid, none ` +
      'is changed.',
    example: [
      { email: 'ann@example.com', firstName: 'Ann' },
      { email: 'bob@example.com', firstName: 'Bob' },
    ],
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
    body: NewContacts,
    operation: 'contactsPut',
    async run(ctx, { params, body }) {
      await call(ctx, 'contactsPut', { bookId: params.contactBookId!, inputs: body });
      const count = body.length;
      return JSON.stringify({ message: `${count} contacts were added or changed.`, count });
    },
  }),
  defineEndpoint({
    at: 'DELETE /v1/contactBooks/{contactBookId}/contacts/bulk',
    operationId: 'deleteContacts',
    summary: `Delete up to ${limits.contact.bulk} contacts`,
    description: 'Emails that campaigns queued for these contacts are canceled.',
    example: { contactIds: ['id-of-a-contact'] },
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
    body: ContactIds,
    operation: 'contactsDelete',
    async run(ctx, { params, body }) {
      const request = { bookId: params.contactBookId!, ids: body.contactIds };
      const { length: count } = await call(ctx, 'contactsDelete', request);
      return JSON.stringify({ success: true, count });
    },
  }),
  defineEndpoint({
    at: 'GET /v1/contactBooks/{contactBookId}/contacts/{contactId}',
    operationId: 'getContact',
    summary: 'Get a contact',
    description: 'Includes properties and, if the contact is not subscribed, the reason.',
    responses: buildResponses(
      'The contact with its properties and subscription.',
      referToShape('Contact'),
      404,
    ),
    run: (ctx, { params }) =>
      runTextOperation(ctx, 'contactRead', { bookId: params.contactBookId!, id: params.contactId! }),
  }),
  defineEndpoint({
    at: 'PATCH /v1/contactBooks/{contactBookId}/contacts/{contactId}',
    operationId: 'updateContact',
    summary: 'Update a contact; can subscribe it again',
    description:
      'Changes the fields that you send. Other fields keep their values. This is the only call that can ' +
      'resubscribe a contact.',
    example: { firstName: 'Anna', properties: { company: 'Acme Ltd' }, subscribed: true },
    responses: buildResponses('The id of the contact.', ContactId, 400, 404, 413),
    body: ContactChange,
    operation: 'contactUpdate',
    async run(ctx, { params, body }) {
      const request = { bookId: params.contactBookId!, id: params.contactId!, input: body };
      return JSON.stringify({ contactId: await call(ctx, 'contactUpdate', request) });
    },
  }),
  /** The email address identifies the contact. The id in the path is ignored. */
  defineEndpoint({
    at: 'PUT /v1/contactBooks/{contactBookId}/contacts/{contactId}',
    operationId: 'upsertContact',
    summary: 'Create a contact, or update the one with this address',
    description:
      'Updates or creates the contact with the address in the body, even if the id in the path belongs to ' +
      'another contact.',
    example: { email: 'ann@example.com', firstName: 'Ann' },
    responses: buildResponses('The id of the contact.', ContactId, 400, 404, 413),
    body: NewContact,
    operation: 'contactPut',
    run: (ctx, { params, body }) => upsertContact(ctx, params.contactBookId, body),
  }),
  defineEndpoint({
    at: 'DELETE /v1/contactBooks/{contactBookId}/contacts/{contactId}',
    operationId: 'deleteContact',
    summary: 'Delete a contact',
    description: 'Emails that campaigns queued for the contact are canceled.',
    responses: buildResponses(
      'The contact was deleted.',
      z.object({ success: z.literal(true).describe('Always true.') }),
      404,
    ),
    async run(ctx, { params }) {
      await call(ctx, 'contactDelete', { bookId: params.contactBookId!, id: params.contactId! });
      return '{"success":true}';
    },
  }),
];
