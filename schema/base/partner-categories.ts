import type { Ctx } from '../../src/engine/ctx.ts';
import { defineModel } from '../../src/engine/model.ts';
import { errors } from '../../src/errors.ts';

defineModel('res.partner.category', {
  display: 'complete_name',
  searchNames: ['complete_name'],
  order: 'name, id',
  access: { 'base.group_user': 'r', 'base.group_partner_manager': 'crwu', 'base.group_system': 'crwu' },
  computed: {
    complete_name: {
      type: 'char',
      label: 'Complete Name',
      help: 'The names of the categories above, from the top, and its own.',
      sql: (row, sql) => pathSql(row, sql.table('res.partner.category')),
    },
  },
  afterWrite: async (ctx, ids, values) => {
    if (values.parent_id) await refuseLoops(ctx, ids);
  },
});

/** `Parent / Child` */
const pathSql = (row: string, table: string): string =>
  `(with recursive up(id, parent_id, name) as (
      select c.id, c.parent_id, c.name::text from ${table} c where c.workspace_id = ${row}.workspace_id and c.id = ${row}.id
      union all
      select p.id, p.parent_id, p.name || ' / ' || up.name from ${table} p join up on p.id = up.parent_id where p.workspace_id = ${row}.workspace_id
    ) cycle id set looped using path select name from up where not looped order by cardinality(path) desc limit 1)`;

/** Two categories that are put below each other at one time see neither loop: one after the other. */
async function refuseLoops(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(`select pg_advisory_xact_lock(hashtext('tree of categories'), $1::int)`, [
    ctx.workspace.id,
  ]);
  const [loop] = await ctx.db.rows(
    `with recursive up(start, id) as (
       select id, parent_id from res_partner_category where workspace_id = $1 and id = any($2)
       union
       select up.start, p.parent_id from res_partner_category p join up on up.id = p.id where p.workspace_id = $1 and up.id <> up.start
     ) select 1 from up where id = start`,
    [ctx.workspace.id, ids],
  );
  if (loop) throw errors.validation('You cannot create recursive tags: a tag is not above itself.');
}
