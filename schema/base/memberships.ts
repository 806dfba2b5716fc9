import { type Sql, sql } from '../../src/db/sql.ts';

/**
 * Selects the ids of a user's direct and implied groups as `gid`. Both arguments are values or SQL expressions such as
 * `u.id`.
 */
export const selectMemberships = (workspace: unknown, user: unknown): Sql => sql`
  with recursive mine(gid) as (
    select gid from res_groups_users_rel m where m.workspace_id = ${workspace} and m.uid = ${user}
    union
    select i.hid from res_groups_implied_rel i join mine on i.gid = mine.gid where i.workspace_id = ${workspace}
  ) select gid from mine`;
