import { z } from '@hono/zod-openapi';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { buildInputSchema, defineBody } from '../input-schema.ts';

type EmailInput = Operations['emailSend']['args']['input'];

/** The contract's send request, including the fields that only its client libraries send. */
export const EmailRequest = defineBody<EmailInput>('EmailRequest', () =>
  buildInputSchema('EmailInput', {
    html,
    variables,
    tags,
    attachments: z.array(buildAttachmentSchema()).max(limits.email.attachments),
  }),
);

/** Programs that forward an email without HTML send `false`, sometimes as a string. */
const html = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a string' })
  .transform((value) => (/^(?:true|false)$/.test(String(value)) ? null : String(value)))
  .openapi({ type: ['string', 'null'] });

const variable = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a string, a number, true, false or null',
});

const variables = z.record(z.string(), variable).openapi({
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
});

const namedTag = z.object({
  name: z.string().describe('Name of the tag.'),
  value: z.string().describe('Value of the tag.'),
});

const tags = z.union([z.record(z.string(), z.string()), z.array(namedTag)], {
  error: 'must be an object with string values, or an array of names and values',
});

/** Some libraries call the content id `cid`. */
const buildAttachmentSchema = () =>
  buildInputSchema('EmailAttachmentInput', {
    cid: z.string().nullish().describe('Same as `contentId`.'),
  }).transform(({ cid, contentId, ...file }) => ({ ...file, contentId: contentId ?? cid }));

export const EmailChange = defineBody<{ scheduledAt: string }>('EmailChange', () =>
  buildInputSchema('EmailChange'),
);

export const EmailBatch = z
  .array(EmailRequest)
  .min(1, 'the batch must contain at least one email')
  .max(limits.email.batch, `the batch must contain at most ${limits.email.batch} emails`);
