import { z } from '@hono/zod-openapi';
import { referToShape } from '../shape-references.ts';

const text = z.string();

export const BookBody = referToShape('ContactBook');
export const CountedContactBook = referToShape('CountedContactBook');

const sharedFields = {
  emoji: text.nullish().describe('Emoji shown with the name.'),
  properties: z
    .record(text, text)
    .nullish()
    .describe('Your own key/value pairs. Replaces the existing ones.'),
  variables: z
    .array(text)
    .nullish()
    .describe('Contact properties that campaigns may use as variables. Names consist of A-Z, 0-9 and _.'),
  doubleOptInEnabled: z
    .boolean()
    .nullish()
    .describe('True if new contacts must confirm before they are subscribed. Off by default.'),
  doubleOptInFrom: text
    .nullish()
    .describe(
      'Sender of the confirmation email, on a verified domain. Null uses `hello@` on your first verified domain.',
    ),
  doubleOptInSubject: text
    .nullish()
    .describe('Subject of the confirmation email. Null restores the default.'),
  doubleOptInContent: text
    .nullish()
    .describe('Block editor document (JSON); must contain {{doubleOptInUrl}}. Null restores the default.'),
};

export const NewContactBook = z
  .object({ name: text.min(1).describe('Name of the book.'), ...sharedFields })
  .openapi('NewContactBook', { description: 'A contact book to create.' });

export const ContactBookChange = z
  .object({ name: text.min(1).nullish().describe('Name of the book.'), ...sharedFields })
  .openapi('ContactBookChange', { description: 'Fields to change. Omitted fields keep their values.' });

export const DeletedContactBook = z.object({
  id: text.describe('Identifier of the deleted book.'),
  success: z.literal(true).describe('Always true.'),
  message: text.describe('Human-readable confirmation message.'),
});
