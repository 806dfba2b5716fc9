import { z } from '@hono/zod-openapi';
import { referToShape } from '../shape-references.ts';

const text = z.string();

export const DomainBody = referToShape('Domain');

export const NewDomain = z
  .object({
    name: text.openapi({ example: 'example.com', description: 'Domain name.' }),
    region: text.openapi({
      description:
        'Provider region, which must match the region that this installation sends from. If the provider has ' +
        'no regions, any value is accepted, and the response contains `local`.',
      example: 'eu-west-1',
    }),
  })
  .openapi('NewDomain', { description: 'A sending domain to add.' });

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
