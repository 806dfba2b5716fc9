import { type Sql, sql } from '../../src/db/sql.ts';

/**
 * The ids of the groups a user is in, directly or through another: a query of one column, `gid`. Both arguments are
 * values or expressions, such as `u.id`.
 */
export const selectMemberships = (workspace: unknown, user: unknown): Sql => sql`
  with recursive mine(gid) as (
    select gid from res_groups_users_rel m where m.workspace_id = ${workspace} and m.uid = ${user}
    union
    select i.hid from res_groups_implied_rel i join mine on i.gid = mine.gid where i.workspace_id = ${workspace}
  ) select gid from mine`;
