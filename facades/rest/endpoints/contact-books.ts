import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { createEndpointFactory, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { buildShapeList } from '../shape-references.ts';
import {
  BookBody,
  ContactBookChange,
  CountedContactBook,
  DeletedContactBook,
  NewContactBook,
} from '../shapes/contact-book.ts';

const defineEndpoint = createEndpointFactory('Contact books', {
  contactBookId: z.string().describe('Id of the contact book.'),
});

export const contactBooks = [
  defineEndpoint({
    at: 'GET /v1/contactBooks',
    operationId: 'listContactBooks',
    summary: 'List contact books, newest first',
    description: 'Returns each contact book with its number of contacts.',
    responses: buildResponses('Every contact book of the Team.', buildShapeList('CountedContactBook')),
    run: (ctx) => runTextOperation(ctx, 'contactBookList', {}),
  }),
  defineEndpoint({
    at: 'POST /v1/contactBooks',
    operationId: 'createContactBook',
    summary: 'Create a contact book',
    description: 'A book is a list of contacts that campaigns are sent to. Names need not be unique.',
    example: { name: 'Newsletter', emoji: '📰', variables: ['company'] },
    responses: buildResponses('The contact book that was created.', BookBody, 400, 413),
    body: NewContactBook,
    operation: 'contactBookCreate',
    run: (ctx, { body }) => runTextOperation(ctx, 'contactBookCreate', { book: body }),
  }),
  defineEndpoint({
    at: 'GET /v1/contactBooks/{contactBookId}',
    operationId: 'getContactBook',
    summary: 'Get a contact book',
    description: 'Includes how many contacts are subscribed and how many are not.',
    responses: buildResponses('The contact book with the number of its contacts.', CountedContactBook, 404),
    run: (ctx, { params }) => runTextOperation(ctx, 'contactBookRead', { id: params.contactBookId }),
  }),
  defineEndpoint({
    at: 'PATCH /v1/contactBooks/{contactBookId}',
    operationId: 'updateContactBook',
    summary: 'Update a contact book',
    description: 'Changes the fields that you send. Other fields keep their values.',
    example: { name: 'Monthly newsletter', doubleOptInEnabled: false },
    responses: buildResponses('The contact book after the update.', BookBody, 400, 404, 413),
    body: ContactBookChange,
    operation: 'contactBookUpdate',
    run: (ctx, { params, body }) =>
      runTextOperation(ctx, 'contactBookUpdate', { id: params.contactBookId, book: body }),
  }),
  defineEndpoint({
    at: 'DELETE /v1/contactBooks/{contactBookId}',
    operationId: 'deleteContactBook',
    summary: 'Delete a contact book and its contacts',
    description: 'Returns 400 while a campaign is being sent to the book.',
    responses: buildResponses('The contact book was deleted.', DeletedContactBook, 400, 404),
    async run(ctx, { params }) {
      const id = await call(ctx, 'contactBookDelete', { id: params.contactBookId });
      return JSON.stringify({ id, success: true, message: 'The contact book was deleted.' });
    },
  }),
];
