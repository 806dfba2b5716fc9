import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { defineEndpoint, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { buildShapeList } from '../shape-references.ts';
import {
  BookBody,
  ContactBookChange,
  CountedContactBook,
  DeletedContactBook,
  NewContactBook,
} from '../shapes/contact-book.ts';

const at = { params: z.object({ contactBookId: z.string().describe('Id of the contact book.') }) };
const common = { tags: ['Contact books'] };

const list = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: '/v1/contactBooks',
    operationId: 'listContactBooks',
    summary: 'List contact books, newest first',
    responses: buildResponses('Every contact book of the Team.', buildShapeList('CountedContactBook')),
  },
  run: (ctx) => runTextOperation(ctx, 'contactBookList', {}),
});

const create = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: '/v1/contactBooks',
    operationId: 'createContactBook',
    summary: 'Create a contact book',
    responses: buildResponses('The contact book that was created.', BookBody, 400, 413),
  },
  body: NewContactBook,
  operation: 'contactBookCreate',
  run: (ctx, { body }) => runTextOperation(ctx, 'contactBookCreate', { book: body }),
});

const getEndpoint = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: '/v1/contactBooks/{contactBookId}',
    operationId: 'getContactBook',
    summary: 'Get a contact book',
    request: at,
    responses: buildResponses('The contact book with the number of its contacts.', CountedContactBook, 404),
  },
  run: (ctx, { params }) => runTextOperation(ctx, 'contactBookRead', { id: params.contactBookId }),
});

const update = defineEndpoint({
  route: {
    ...common,
    method: 'patch',
    path: '/v1/contactBooks/{contactBookId}',
    operationId: 'updateContactBook',
    summary: 'Update a contact book',
    request: at,
    responses: buildResponses('The contact book after the update.', BookBody, 400, 404, 413),
  },
  body: ContactBookChange,
  operation: 'contactBookUpdate',
  run: (ctx, { params, body }) =>
    runTextOperation(ctx, 'contactBookUpdate', { id: params.contactBookId, book: body }),
});

const remove = defineEndpoint({
  route: {
    ...common,
    method: 'delete',
    path: '/v1/contactBooks/{contactBookId}',
    operationId: 'deleteContactBook',
    summary: 'Delete a contact book and its contacts',
    request: at,
    responses: buildResponses('The contact book was deleted.', DeletedContactBook, 400, 404),
  },
  async run(ctx, { params }) {
    const id = await call(ctx, 'contactBookDelete', { id: params.contactBookId });
    return JSON.stringify({ id, success: true, message: 'The contact book was deleted.' });
  },
});

export const contactBooks = [list, create, getEndpoint, update, remove];
