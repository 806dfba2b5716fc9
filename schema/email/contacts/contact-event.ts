import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';

/** Event payload of the contact in the row `contact`. `book` is the public id of its book. */
export function buildContactEvent(contact: string, book: Sql): Sql {
  const of = (column: string) => sql.id(contact, column);
  return sql`jsonb_build_object('id', ${of('public_id')}, 'email', ${of('email')}, 'contactBookId', ${book},
    'subscribed', ${of('subscribed')}, 'properties', ${of('properties')},
    'firstName', ${of('first_name')}, 'lastName', ${of('last_name')},
    'createdAt', ${toIsoSql(of('create_date'))}, 'updatedAt', ${toIsoSql(of('write_date'))})`;
}
