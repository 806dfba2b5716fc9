import type { Db } from '../../../src/db/db.ts';
import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { scheduleEvents } from '../../../src/engine/work/events.ts';

/** Builds the event payload for the contact in row `contact`. `book` is the public id of the contact's book. */
export function buildContactEvent(contact: string, book: Sql): Sql {
  const buildColumn = (column: string) => sql.id(contact, column);
  return sql`jsonb_build_object('id', ${buildColumn('public_id')}, 'email', ${buildColumn('email')}, 
    'contactBookId', ${book},
    'subscribed', ${buildColumn('subscribed')}, 'properties', ${buildColumn('properties')},
    'firstName', ${buildColumn('first_name')}, 'lastName', ${buildColumn('last_name')},
    'createdAt', ${toIsoSql(buildColumn('create_date'))}, 'updatedAt', ${toIsoSql(buildColumn('write_date'))})`;
}

/** Records an event for each contact, in the transaction that changes them. */
export async function recordContactEvents(
  db: Db,
  workspaceId: number,
  topic: string,
  ids: number[],
): Promise<void> {
  const workspace = sql.param(workspaceId);
  const eventIds = await db.idAllocator.allocate(workspaceId, 'svc_event', ids.length);
  await db.rows(
    sql`insert into svc_event (workspace_id, id, topic, payload)
     select c.workspace_id, (${eventIds}::bigint[])[row_number() over (order by c.id)], ${topic},
       ${buildContactEvent('c', sql`b.public_id`)}
     from svc_contact c join svc_contact_book b on b.workspace_id = ${workspace} and b.id = c.book_id
     where c.workspace_id = ${workspace} and c.id = any(${ids})`,
  );
  scheduleEvents(db, workspaceId);
}
