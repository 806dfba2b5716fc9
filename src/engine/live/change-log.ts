import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import type { StreamPosition } from './cursor.ts';

/** Records that one statement has changed. */
export interface LoggedChange {
  workspace_id: number;
  topic: string;
  kind: 'C' | 'U' | 'D';
  ids: number[];
  /** They were too many to be named. */
  many: boolean;
}

/** Changes up to a position. */
interface ChangeBatch {
  position: StreamPosition;
  /** In the order in which each record changed. */
  changes: LoggedChange[];
  /** There are more than anybody could follow: the rest is not here. */
  isCut: boolean;
}

/** What has been committed since `from`, and where that ends; nothing without a `from`. */
export const readSince = (
  db: Db,
  workspaceIds: number[],
  from: StreamPosition | null,
): Promise<ChangeBatch> => readChanges(db, workspaceIds, from ? buildAfterCondition(from) : sql`false`);

/** What had been committed until `to`, and not yet at `from`. */
export const readBetween = (
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

/** The first condition is for the index. */
const buildAfterCondition = ({ snapshot }: StreamPosition): Sql =>
  sql`c.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
    and not pg_visible_in_snapshot(c.xid::text::xid8, ${snapshot}::pg_snapshot)`;

/** The snapshot and the rows are of one statement, so the one says exactly which rows the others are. */
async function readChanges(db: Db, workspaceIds: number[], which: Sql): Promise<ChangeBatch> {
  const rows = await db.rows<LoggedChange & { snapshot: string; at: number }>(
    sql`select s.snapshot::text as snapshot, extract(epoch from now())::float8 as at, c.*
     from (select pg_current_snapshot() as snapshot) s left join lateral (
       select c.workspace_id, c.topic, c.kind, c.ids, c.many from svc_change c
       where c.workspace_id = any(${workspaceIds}) and ${which}
       order by c.seq limit ${sql.literal(limits.live.statements + 1)}
     ) c on true`,
  );
  const [{ snapshot, at }] = rows as [(typeof rows)[0]];
  const changes = rows.filter((row) => row.topic !== null);
  return {
    position: { snapshot, at },
    changes: changes.slice(0, limits.live.statements),
    isCut: changes.length > limits.live.statements,
  };
}
