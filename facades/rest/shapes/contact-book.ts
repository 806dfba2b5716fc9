import { z } from '@hono/zod-openapi';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import { buildInputSchema, defineBody } from '../input-schema.ts';
import { referToShape } from '../shape-references.ts';

const text = z.string();

export const BookBody = referToShape('ContactBook');
export const CountedContactBook = referToShape('CountedContactBook');

type BookBody = Operations['contactBookCreate']['args']['book'];

export const NewContactBook = defineBody<BookBody>('NewContactBook', () =>
  buildInputSchema('ContactBookInput', {}, ['name']).openapi({ description: 'A contact book to create.' }),
);

export const ContactBookChange = defineBody<BookBody>('ContactBookChange', () =>
  buildInputSchema('ContactBookInput'),
);

export const DeletedContactBook = z.object({
  id: text.describe('Identifier of the deleted book.'),
  success: z.literal(true).describe('Always true.'),
  message: text.describe('Human-readable confirmation message.'),
});
