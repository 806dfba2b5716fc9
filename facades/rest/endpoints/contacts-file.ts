import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { addBodyTimeout } from '../../../src/http/body-timeout.ts';
import { createAbortLogger } from '../../../src/http/http.ts';
import { streamBody } from '../../../src/http/stream-body.ts';
import { createEndpointFactory } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { referToShape } from '../shape-references.ts';

const CSV_TYPE = /^(?:text\/(?:csv|plain)|application\/(?:csv|vnd\.ms-excel|octet-stream))\s*(?:;|$)/i;

const file = { 'text/csv': { schema: z.string().describe('CSV text, UTF-8.') } };
interface ChunkedText {
  chunks(): AsyncIterable<string>;
}

const defineEndpoint = createEndpointFactory('Contacts', {
  contactBookId: z.string().describe('Id of the contact book.'),
});

export const contactsFile = [
  defineEndpoint({
    at: 'POST /v1/contactBooks/{contactBookId}/contacts/import',
    operationId: 'importContacts',
    summary: 'Import contacts from a CSV file',
    description:
      'The first line contains the column names: `email`, `firstName`, `lastName` and `subscribed`. Any ' +
      'other column is a property. Existing contacts are updated. Invalid rows are skipped and reported.',
    example:
      'email,firstName,lastName,company\ncarl@example.com,Carl,Lund,Acme\ndana@example.com,Dana,Roy,Acme\n',
    content: file,
    responses: buildResponses('The result of the import.', referToShape('ImportedContacts'), 400, 404),
    async run(ctx, { params, request }) {
      if (!CSV_TYPE.test(request.headers.get('content-type') ?? ''))
        throw errors.badRequest('The body must be a CSV file, sent with Content-Type: text/csv.');
      if (!request.body) throw errors.badRequest('The body is empty; a CSV file is required.');
      return JSON.stringify(
        await call(ctx, 'contactsImport', {
          bookId: params.contactBookId,
          csv: addBodyTimeout(request.body),
        }),
      );
    },
  }),
  defineEndpoint({
    at: 'GET /v1/contactBooks/{contactBookId}/contacts/export',
    operationId: 'exportContacts',
    summary: "Export a book's contacts as a CSV file",
    description:
      'Returns every contact in the book with its properties, in the format that `importContacts` accepts.',
    responses: {
      ...buildResponses('CSV file with a column for each property.', z.string(), 404),
      200: { description: 'CSV file with a column for each property.', content: file },
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
  }),
];
