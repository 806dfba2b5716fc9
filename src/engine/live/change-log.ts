import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { StreamPosition } from './cursor.ts';

/** Maximum number of logged statements that one read returns, across all workspaces. */
const MAX_CHANGING_STATEMENTS = 5_000;

export interface LoggedChange {
  workspace_id: number;
  topic: string;
  kind: 'C' | 'U' | 'D';
  ids: number[];
  /** True if there were too many ids to list. */
  many: boolean;
}

interface ChangeBatch {
  position: StreamPosition;
  /** Ordered by the time of the change. */
  changes: LoggedChange[];
  /** True if there were more changes than one read returns. */
  isCut: boolean;
}

/** Reads the changes committed since `from`, and the new position. If `from` is null, reads only the position. */
export const readChangesSince = (
  db: Db,
  workspaceIds: number[],
  from: StreamPosition | null,
): Promise<ChangeBatch> => readChanges(db, workspaceIds, from ? buildAfterCondition(from) : sql`false`);

export const readChangesBetween = (
  db: Db,
  workspaceId: number,
  from: StreamPosition,
  to: StreamPosition,
): Promise<ChangeBatch> =>
  readChanges(
    db,
    [workspaceId],
    sql`${buildAfterCondition(from)} and pg_visible_in_snapshot(c.xid::text::xid8, ${to.snapshot}::pg_snapshot)`,
  );

/** The first condition is redundant, but makes the index usable. */
const buildAfterCondition = ({ snapshot }: StreamPosition): Sql =>
  sql`c.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
    and not pg_visible_in_snapshot(c.xid::text::xid8, ${snapshot}::pg_snapshot)`;

/** Reads the snapshot and the rows in one statement, so that the snapshot matches the visible rows. */
async function readChanges(db: Db, workspaceIds: number[], condition: Sql): Promise<ChangeBatch> {
  const rows = await db.rows<LoggedChange & { snapshot: string; at: number }>(
    sql`select s.snapshot::text as snapshot, extract(epoch from now())::float8 as at, c.*
     from (select pg_current_snapshot() as snapshot) s left join lateral (
       select c.workspace_id, c.topic, c.kind, c.ids, c.many from svc_change c
       where c.workspace_id = any(${workspaceIds}) and ${condition}
       order by c.seq limit ${sql.literal(MAX_CHANGING_STATEMENTS + 1)}
     ) c on true`,
  );
  const [{ snapshot, at }] = rows as [(typeof rows)[0]];
  const changes = rows.filter((row) => row.topic !== null);
  return {
    position: { snapshot, at },
    changes: changes.slice(0, MAX_CHANGING_STATEMENTS),
    isCut: changes.length > MAX_CHANGING_STATEMENTS,
  };
}
