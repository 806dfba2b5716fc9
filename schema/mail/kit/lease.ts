import { iso } from '../../../src/db/iso.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { noteDue, settled } from '../../../src/engine/work/due.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';

// Rows that are work: they have `next_at`, when they are due, null for never, and `attempts`. Who claims some has them
// until a lease ends, and in the same statement it is said when the workspace is due again. What a process that died
// was doing is due once its lease has ended.

/** Rows of a table that are claimed. */
interface Leased {
  table: string;
  /** The kind under which workspaces are noted that have some due. */
  kind: string;
  /** Milliseconds after which another process takes over. */
  lease: number;
  /** Rows that no process has lived to put back are given up after so many. */
  attempts: number;
  /** What is set of a row that is claimed, beside its attempts and its time. */
  taken?: Sql;
  /** What is set of one that is given up. */
  givenUp: Sql;
  /** What a claim returns of a row. */
  columns: Sql;
}

interface ClaimArgs {
  workspace: number;
  kind: string;
  version: number;
  at: string;
  most: number;
}

/**
 * The statement that claims at most so many rows of a workspace that are due. What was due while no process lived to
 * note it is found by the sweep.
 */
export function defineLeased({ table, kind, lease, attempts, taken, givenUp, columns }: Leased) {
  const rows = sql.id(table);
  const seconds = sql.literal(lease / 1_000);
  const most = sql.literal(attempts);
  onSweep(async (db, workspaceId) => {
    const [row] = await db.rows<{ next_at: string | null }>(
      sql`select ${iso(sql`min(next_at)`)} as next_at from ${rows}
       where workspace_id = ${workspaceId} and next_at is not null`,
    );
    if (row?.next_at) noteDue(db, workspaceId, kind, { at: row.next_at });
  });
  return sql.prepare<ClaimArgs>(
    (p) => sql`
    with picked as (
      select t.id from ${rows} t
      where t.workspace_id = ${p.workspace} and t.next_at <= ${p.at}::timestamp
      order by t.next_at, t.id limit ${p.most} for update skip locked
    ), given_up as (
      update ${rows} t set ${givenUp} from picked
      where t.workspace_id = ${p.workspace} and t.id = picked.id and t.attempts >= ${most}
    ), again as (${settled(
      p,
      sql`least(
        (select min(t.next_at) from ${rows} t
         where t.workspace_id = ${p.workspace} and t.next_at is not null and t.id not in (select id from picked)),
        (select ${p.at}::timestamp + make_interval(secs => ${seconds}) from picked limit 1))`,
    )})
    update ${rows} t set ${taken ? sql`${taken}, ` : sql.empty}attempts = t.attempts + 1,
      next_at = now() + make_interval(secs => ${seconds})
    from picked where t.workspace_id = ${p.workspace} and t.id = picked.id and t.attempts < ${most}
    returning ${columns}`,
  );
}
