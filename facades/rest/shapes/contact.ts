import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { pageQuery, wholeNumber } from '../whole-number.ts';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

export const ContactBody = z
  .object({
    id: text.describe('Unique identifier of the contact.'),
    firstName: text.nullable().describe('First name.'),
    lastName: text.nullable().describe('Last name.'),
    email: text.describe('Email address. Unique within the book, ignoring case.'),
    subscribed: z.boolean().describe('Whether campaigns are sent to the contact.'),
    unsubscribeReason: z
      .enum(['BOUNCED', 'COMPLAINED', 'UNSUBSCRIBED'])
      .nullable()
      .describe('Why the contact is not subscribed. Null if it is, or if it has not confirmed yet.'),
    properties: z.record(text, text).describe('Your own key/value pairs.'),
    contactBookId: text.describe('Contact book that holds the contact.'),
    createdAt: instant.describe('When the contact was created.'),
    updatedAt: instant.describe('When the contact was last changed.'),
  })
  .openapi('Contact', { description: 'A person in a contact book.' });

const property = z.union([text, z.number(), z.boolean()], { error: 'must be a string' }).transform(String);

const asked = {
  firstName: text.nullish().describe('First name.'),
  lastName: text.nullish().describe('Last name.'),
  properties: z
    .record(text, property)
    .nullish()
    .openapi({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Your own key/value pairs. Merged into the existing ones.',
    }),
  subscribed: z
    .boolean()
    .nullish()
    .describe(
      'Whether campaigns are sent to the contact. Only an update by id can subscribe a contact again.',
    ),
};

export const NewContact = z
  .object({ email: text.describe('Email address. Identifies an existing contact, ignoring case.'), ...asked })
  .openapi('NewContact', { description: 'A contact to create or update.' });

export const ContactChange = z
  .object(asked)
  .openapi('ContactChange', { description: 'Fields to change. Omitted fields keep their values.' });

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

/** Texts between commas. */
const csv = text.transform((all) =>
  all
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
);

const filters = {
  emails: csv
    .optional()
    .openapi({ type: 'string', description: 'Only contacts with these addresses, separated by commas.' }),
  ids: csv
    .optional()
    .openapi({ type: 'string', description: 'Only these contacts, ids separated by commas.' }),
  page: pageQuery,
};

const pageSize = (size: number) =>
  wholeNumber(1, limits.contact.page)
    .optional()
    .openapi({ default: size, description: 'Contacts per page.' });

export const BookQuery = z.object({ ...filters, limit: pageSize(limits.contact.page) });

export const AllQuery = z.object({ ...filters, limit: pageSize(limits.email.page) });

export const ContactPage = z
  .object({
    data: z.array(ContactBody).describe('Contacts of this page, oldest first.'),
    count: z.int().describe('Number of matching contacts on all pages.'),
    totalPage: z.int().describe('Number of pages.'),
  })
  .openapi('ContactPage', { description: 'One page of contacts.' });

export const ContactId = z.object({ contactId: text.describe('Identifier of the contact.') });

export const ImportedBody = z
  .object({
    created: z.int().describe('Contacts added.'),
    updated: z.int().describe('Contacts that existed and were updated.'),
    duplicates: z.int().describe('Rows that repeat an address of the same file.'),
    failed: z.int().describe('Rows skipped because of an error.'),
    errors: z
      .array(
        z.object({
          line: z.int().describe('Line number in the file, starting at 1.'),
          message: text.describe('What is wrong with the row.'),
        }),
      )
      .describe(`The first ${limits.contact.fileErrors} errors.`),
  })
  .openapi('ImportedContacts', { description: 'Result of an import.' });
