import { Sql, sql } from '../../src/db/sql.ts';

/** The ids of the groups a user is in, directly or through another: a query of one column, `gid`. Both are expressions. */
export function memberships(workspace: Sql, user: Sql): Sql;
export function memberships(workspace: string, user: string): string;
export function memberships(workspace: Sql | string, user: Sql | string): Sql | string {
  if (!(workspace instanceof Sql && user instanceof Sql))
    return memberships(sql.raw(String(workspace)), sql.raw(String(user))).render().text;
  return sql`
  with recursive mine(gid) as (
    select gid from res_groups_users_rel m where m.workspace_id = ${workspace} and m.uid = ${user}
    union
    select i.hid from res_groups_implied_rel i join mine on i.gid = mine.gid where i.workspace_id = ${workspace}
  ) select gid from mine`;
}
