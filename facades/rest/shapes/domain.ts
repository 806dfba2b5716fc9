import { z } from '@hono/zod-openapi';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import { buildInputSchema, defineBody } from '../input-schema.ts';
import { referToShape } from '../shape-references.ts';

const text = z.string();

export const DomainBody = referToShape('Domain');

export const NewDomain = defineBody<Operations['domainAdd']['args']>('NewDomain', () =>
  buildInputSchema('NewDomain', {}, ['region']),
);

export const VerificationMessage = z
  .object({ message: text.describe('Human-readable result message.') })
  .openapi('Message', { description: 'A message that describes the result.' });

export const DeletedDomain = z
  .object({
    id: z.int().describe('Identifier of the deleted domain.'),
    success: z.literal(true).describe('Always true.'),
    message: text.describe('Human-readable confirmation message.'),
  })
  .openapi('DeletedDomain', { description: 'Confirms that a domain was deleted.' });
