import { iso } from '../../../src/db/iso.ts';

/** SQL of what is told of the contact `c` in an event; `book` is an expression of its book's public id. */
export const eventJson = (c: string, book: string): string =>
  `jsonb_build_object('id', ${c}.public_id, 'email', ${c}.email, 'contactBookId', ${book}, 'subscribed', ${c}.subscribed,
     'properties', ${c}.properties, 'firstName', ${c}.first_name, 'lastName', ${c}.last_name,
     'createdAt', ${iso(`${c}.create_date`)}, 'updatedAt', ${iso(`${c}.write_date`)})`;

/** SQL of the contact `c` of the book `b` in the shape of the email REST API. */
export const CONTACT = `json_build_object('id', c.public_id, 'firstName', c.first_name, 'lastName', c.last_name, 'email', c.email,
  'subscribed', c.subscribed, 'unsubscribeReason', c.unsubscribe_reason, 'properties', c.properties, 'contactBookId', b.public_id,
  'createdAt', ${iso('c.create_date')}, 'updatedAt', ${iso('c.write_date')})`;
