import { z } from '@hono/zod-openapi';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { buildInputSchema, defineBody } from '../input-schema.ts';
import { buildWholeNumberSchema, pageQuery } from '../whole-number.ts';

const text = z.string();

const property = z.union([text, z.number(), z.boolean()], { error: 'must be a string' }).transform(String);

const properties = z
  .record(text, property)
  .openapi({ type: 'object', additionalProperties: { type: 'string' } });

export const NewContact = defineBody<Operations['contactPut']['args']['input']>('NewContact', () =>
  buildInputSchema('ContactInput', { properties }),
);

export const ContactChange = defineBody<Operations['contactUpdate']['args']['input']>('ContactChange', () =>
  buildInputSchema('ContactChange', { properties }),
);

export const NewContacts = z
  .array(NewContact)
  .max(limits.contact.bulk, `the list must contain at most ${limits.contact.bulk} contacts`);

export const ContactIds = z.object({
  contactIds: z
    .array(text)
    .min(1)
    .max(limits.contact.bulk)
    .describe('Contacts to delete. Unknown ids are skipped.'),
});

const csv = text.transform((all) =>
  all
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const filters = {
  emails: csv
    .optional()
    .openapi({ type: 'string', description: 'Only contacts with these addresses, separated by commas.' }),
  ids: csv
    .optional()
    .openapi({ type: 'string', description: 'Only contacts with these ids, separated by commas.' }),
  page: pageQuery,
};

const buildPageSizeSchema = (size: number) =>
  buildWholeNumberSchema(1, limits.contact.page)
    .optional()
    .openapi({ default: size, description: 'Contacts per page.' });

export const BookQuery = z.object({ ...filters, limit: buildPageSizeSchema(limits.contact.page) });

export const AllContactsQuery = z.object({ ...filters, limit: buildPageSizeSchema(limits.email.page) });

export const ContactId = z.object({ contactId: text.describe('Identifier of the contact.') });
