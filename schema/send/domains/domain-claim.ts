import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { errors } from '../../../src/errors.ts';

/**
 * A verified name belongs to one workspace of the installation: the first that has the domain.
 * @returns whether it is this one; not when its domain has been deleted meanwhile
 */
export async function claimName(db: Db, workspaceId: number, name: string): Promise<boolean> {
  const [row] = await db.rows<{ workspace_id: number }>(
    sql`insert into domain_claim (name, workspace_id)
     select name, workspace_id from svc_domain where name = ${name} and workspace_id = ${workspaceId} for update
     on conflict (name) do update set name = excluded.name returning workspace_id`,
  );
  return row?.workspace_id === workspaceId;
}

/** @throws NOT_UNIQUE when another workspace has claimed the name */
export async function refuseClaimed(db: Db, workspaceId: number, name: string): Promise<void> {
  const taken = await db.rows(
    sql`select 1 from domain_claim where name = ${name} and workspace_id <> ${workspaceId}`,
  );
  if (taken.length > 0) throw errors.notUnique(`The domain ${name} belongs to another workspace.`);
}
