import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';

/** Event payload of the contact in the row `contact`. `book` is the public id of its book. */
export function buildContactEvent(contact: string, book: Sql): Sql {
  const buildColumn = (column: string) => sql.id(contact, column);
  return sql`jsonb_build_object('id', ${buildColumn('public_id')}, 'email', ${buildColumn('email')}, 
    'contactBookId', ${book},
    'subscribed', ${buildColumn('subscribed')}, 'properties', ${buildColumn('properties')},
    'firstName', ${buildColumn('first_name')}, 'lastName', ${buildColumn('last_name')},
    'createdAt', ${toIsoSql(buildColumn('create_date'))}, 'updatedAt', ${toIsoSql(buildColumn('write_date'))})`;
}
