import type pg from 'pg';

/** Returns true if the tables are distributed. `workspace` is then a reference table (replication model `t`). */
export async function isDistributed(client: pg.Client | pg.Pool): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('workspace') and repmodel = 't'`,
  );
  return rows.length > 0;
}

export async function hasCitus(client: pg.Client | pg.Pool): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}
