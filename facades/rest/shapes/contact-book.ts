import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

const columns = {
  id: text.describe('Unique identifier of the contact book.'),
  name: text.describe('Name of the book.'),
  teamId: z.int().describe('Identifier of the Team that owns the book.'),
  properties: z.record(text, text).describe('Your own key/value pairs.'),
  variables: z.array(text).describe('Contact properties that campaign texts may use as variables.'),
  emoji: text.describe('Emoji shown with the name.'),
  doubleOptInEnabled: z.boolean().describe('Whether new contacts must confirm before they are subscribed.'),
  doubleOptInFrom: text
    .nullable()
    .describe('Sender of the confirmation email; null for `hello@` your first verified domain.'),
  doubleOptInSubject: text.nullable().describe('Subject of the confirmation email; null for the default.'),
  doubleOptInContent: text
    .nullable()
    .describe('Block editor document (JSON) of the confirmation email; null for the default.'),
  createdAt: instant.describe('When the book was created.'),
  updatedAt: instant.describe('When the book was last changed.'),
};

export const ContactBook = z
  .object(columns)
  .openapi('ContactBook', { description: 'A list of contacts that campaigns are sent to.' });

export const CountedContactBook = z
  .object({
    ...columns,
    _count: z
      .object({ contacts: z.int().describe('Contacts in the book, subscribed or not.') })
      .describe('Number of contacts in the book.'),
  })
  .openapi('CountedContactBook', { description: 'A contact book with the number of its contacts.' });

const asked = {
  emoji: text.nullish().describe('Emoji shown with the name.'),
  properties: z
    .record(text, text)
    .nullish()
    .describe('Your own key/value pairs. Replaces the existing ones.'),
  variables: z
    .array(text)
    .nullish()
    .describe(
      'Contact properties that campaign texts may use as variables. Names consist of A-Z, 0-9 and _.',
    ),
  doubleOptInEnabled: z
    .boolean()
    .nullish()
    .describe('Whether new contacts must confirm before they are subscribed. Off by default.'),
  doubleOptInFrom: text
    .nullish()
    .describe(
      'Sender of the confirmation email, on a verified domain. Null for `hello@` your first verified domain.',
    ),
  doubleOptInSubject: text
    .nullish()
    .describe('Subject of the confirmation email. Null restores the default.'),
  doubleOptInContent: text
    .nullish()
    .describe('Block editor document (JSON); must contain {{doubleOptInUrl}}. Null restores the default.'),
};

export const NewContactBook = z
  .object({ name: text.min(1).describe('Name of the book.'), ...asked })
  .openapi('NewContactBook', { description: 'A contact book to create.' });

export const ContactBookChange = z
  .object({ name: text.min(1).nullish().describe('Name of the book.'), ...asked })
  .openapi('ContactBookChange', { description: 'Fields to change. Omitted fields keep their values.' });

export const DeletedContactBook = z.object({
  id: text.describe('Identifier of the deleted book.'),
  success: z.literal(true).describe('Always true.'),
  message: text.describe('Confirmation to show to a person.'),
});
