import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

const columns = {
  id: text,
  name: text,
  teamId: z.int(),
  properties: z.record(text, text),
  variables: z.array(text),
  emoji: text,
  doubleOptInEnabled: z.boolean(),
  doubleOptInFrom: text.nullable(),
  doubleOptInSubject: text.nullable(),
  doubleOptInContent: text.nullable().openapi({ description: 'JSON of the block editor.' }),
  createdAt: instant,
  updatedAt: instant,
};

export const ContactBook = z.object(columns).openapi('ContactBook');

export const CountedContactBook = z
  .object({ ...columns, _count: z.object({ contacts: z.int() }) })
  .openapi('CountedContactBook');

const asked = {
  emoji: text.nullish(),
  properties: z.record(text, text).nullish(),
  variables: z
    .array(text)
    .nullish()
    .openapi({ description: 'Properties of contacts that the text of a campaign may name: A-Z, 0-9 and _.' }),
  doubleOptInEnabled: z
    .boolean()
    .nullish()
    .openapi({ description: 'A new contact must confirm first. Off unless it is asked for.' }),
  doubleOptInFrom: text.nullish().openapi({ description: 'Sender on a verified domain of the Team.' }),
  doubleOptInSubject: text.nullish(),
  doubleOptInContent: text
    .nullish()
    .openapi({ description: 'JSON of the block editor; it holds {{doubleOptInUrl}}.' }),
};

export const NewContactBook = z.object({ name: text.min(1), ...asked }).openapi('NewContactBook');
export const ContactBookChange = z
  .object({ name: text.min(1).nullish(), ...asked })
  .openapi('ContactBookChange');

export const DeletedContactBook = z.object({ id: text, success: z.literal(true), message: text });
