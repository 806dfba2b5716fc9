import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { pageQuery, wholeNumber } from '../whole-number.ts';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

export const ContactBody = z
  .object({
    id: text,
    firstName: text.nullable(),
    lastName: text.nullable(),
    email: text,
    subscribed: z.boolean(),
    unsubscribeReason: z.enum(['BOUNCED', 'COMPLAINED', 'UNSUBSCRIBED']).nullable(),
    properties: z.record(text, text),
    contactBookId: text,
    createdAt: instant,
    updatedAt: instant,
  })
  .openapi('Contact');

const property = z.union([text, z.number(), z.boolean()], { error: 'must be text' }).transform(String);

const asked = {
  firstName: text.nullish(),
  lastName: text.nullish(),
  properties: z
    .record(text, property)
    .nullish()
    .openapi({ type: 'object', additionalProperties: { type: 'string' } }),
  subscribed: z.boolean().nullish(),
};

export const NewContact = z.object({ email: text, ...asked }).openapi('NewContact');
export const ContactChange = z.object(asked).openapi('ContactChange');

export const NewContacts = z
  .array(NewContact)
  .max(limits.contact.bulk, `the list may hold at most ${limits.contact.bulk} contacts`);

export const ContactIds = z.object({ contactIds: z.array(text).min(1).max(limits.contact.bulk) });

/** Texts between commas. */
const csv = text.transform((all) =>
  all
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
);

const filters = {
  emails: csv.optional().openapi({ type: 'string', description: 'Addresses, with commas between them.' }),
  ids: csv.optional().openapi({ type: 'string', description: 'Ids, with commas between them.' }),
  page: pageQuery,
};

export const BookQuery = z.object({
  ...filters,
  limit: wholeNumber(1, limits.contact.page).optional().openapi({ default: limits.contact.page }),
});

export const AllQuery = z.object({
  ...filters,
  limit: wholeNumber(1, limits.contact.page).optional().openapi({ default: limits.email.page }),
});

export const ContactPage = z
  .object({ data: z.array(ContactBody), count: z.int(), totalPage: z.int() })
  .openapi('ContactPage', { description: 'With the count of all contacts that match, and of their pages.' });

export const ContactId = z.object({ contactId: text });

export const ImportedBody = z
  .object({
    created: z.int(),
    updated: z.int(),
    duplicates: z.int().openapi({ description: 'Rows whose address another row has.' }),
    failed: z.int(),
    errors: z.array(z.object({ line: z.int(), message: text })),
  })
  .openapi('ImportedContacts');
