import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { addBodyTimeout } from '../../../src/http/body-timeout.ts';
import { createAbortLogger } from '../../../src/http/http.ts';
import { streamBody } from '../../../src/http/stream-body.ts';
import { defineEndpoint } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { referToShape } from '../shape-references.ts';

const BASE = '/v1/contactBooks/{contactBookId}/contacts';
const CSV_TYPE = /^(?:text\/(?:csv|plain)|application\/(?:csv|vnd\.ms-excel|octet-stream))\s*(?:;|$)/i;

const book = z.object({ contactBookId: z.string().describe('Id of the contact book.') });
const file = { 'text/csv': { schema: z.string().describe('CSV text, UTF-8.') } };
const common = { tags: ['Contacts'] };

const upload = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: `${BASE}/import`,
    operationId: 'importContacts',
    summary: 'Import contacts from a CSV file',
    request: { params: book, body: { required: true, content: file } },
    responses: buildResponses('The result of the import.', referToShape('ImportedContacts'), 400, 404),
  },
  async run(ctx, { params, request }) {
    if (!CSV_TYPE.test(request.headers.get('content-type') ?? ''))
      throw errors.badRequest('The body must be a CSV file, sent with Content-Type: text/csv.');
    if (!request.body) throw errors.badRequest('The body is empty; a CSV file is required.');
    return JSON.stringify(
      await call(ctx, 'contactsImport', { bookId: params.contactBookId, csv: addBodyTimeout(request.body) }),
    );
  },
});

interface ChunkedText {
  chunks(): AsyncIterable<string>;
}

const download = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: `${BASE}/export`,
    operationId: 'exportContacts',
    summary: "Export a book's contacts as a CSV file",
    request: { params: book },
    responses: {
      ...buildResponses('CSV file with a column for each property.', z.string(), 404),
      200: { description: 'CSV file with a column for each property.', content: file },
    },
  },
  async run(ctx, { params }) {
    // With a streaming ctx, the operation returns the file in chunks.
    const pieces = (await call(ctx.with({ streaming: true }), 'contactsExport', {
      bookId: params.contactBookId,
    })) as ChunkedText;
    return new Response(await streamBody(pieces.chunks(), createAbortLogger(ctx.runtime, ctx.requestId)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="contacts.csv"',
        'x-content-type-options': 'nosniff',
      },
    });
  },
});

export const contactsFile = [upload, download];
