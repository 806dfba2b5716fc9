import type { Ctx } from '../../src/engine/ctx.ts';
import { defineModel } from '../../src/engine/model.ts';
import { errors } from '../../src/errors.ts';

defineModel('res.partner', {
  display: 'complete_name',
  searchNames: ['complete_name', 'email', 'ref', 'vat', 'company_registry'],
  order: 'complete_name, id desc',
  access: { 'base.group_user': 'r', 'base.group_partner_manager': 'crwu' },
  rules: [
    {
      name: 'of the own companies, or of none',
      domain: (user) => ['|', ['company_id', '=', false], ['company_id', 'in', user.companyIds]],
    },
  ],
  graph: { type: 'Partner', one: 'partner', many: 'partners' },
  beforeSave: async (ctx, values, ids) => {
    // Two contacts that are put below each other at one time see neither loop; a new one has nobody below it.
    if (ids && values.parent_id) await lockTree(ctx);
  },
  afterSave: async (ctx, ids, values) => {
    if ('parent_id' in values) await refuseLoops(ctx, ids);
    if ('name' in values || 'parent_id' in values) await completeNames(ctx, ids);
  },
});

/** Until the end of the transaction nobody else in the workspace moves a contact. */
async function lockTree(ctx: Ctx): Promise<void> {
  await ctx.db.rows(`select pg_advisory_xact_lock(hashtext('tree of contacts'), $1::int)`, [
    ctx.workspace.id,
  ]);
}

/** A contact may not be above itself. */
async function refuseLoops(ctx: Ctx, ids: number[]): Promise<void> {
  const [loop] = await ctx.db.rows(
    `with recursive up(start, id) as (
       select id, parent_id from res_partner where workspace_id = $1 and id = any($2)
       union
       select up.start, p.parent_id from res_partner p join up on up.id = p.id where p.workspace_id = $1 and up.id <> up.start
     ) select 1 from up where id = start`,
    [ctx.workspace.id, ids],
  );
  if (loop) throw errors.validation('A contact cannot be its own company, directly or through others.');
}

/**
 * `Company, Name`, for the given contacts and everybody below them. A contact that is met on several ways takes the
 * longest, whose beginning is as new as it gets; a loop that is in the data ends where it closes.
 */
async function completeNames(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    `with recursive tree(id, name) as (
       select p.id, case when u.id is null then p.name else u.complete_name || ', ' || p.name end
       from res_partner p left join res_partner u on u.workspace_id = p.workspace_id and u.id = p.parent_id
       where p.workspace_id = $1 and p.id = any($2)
       union all
       select c.id, tree.name || ', ' || c.name from res_partner c join tree on c.parent_id = tree.id where c.workspace_id = $1
     ) cycle id set looped using path, named as (
       select distinct on (id) id, name from tree where not looped order by id, cardinality(path) desc
     ) update res_partner r set complete_name = named.name from named where r.workspace_id = $1 and r.id = named.id`,
    [ctx.workspace.id, ids],
  );
}
