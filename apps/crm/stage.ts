import { NOW_ROW } from '../../src/db/now.ts';
import { type Ctx, defineModel, sql } from '../kit/surface.ts';
import { invalidatePipeline } from './pipeline.ts';

defineModel('crm.stage', {
  group: 'data',
  order: 'sequence, name, id',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  computed: {
    team_count: {
      type: 'integer',
      label: 'Number of Teams',
      sql: (row, context) =>
        sql`(select count(*)::int from crm_stage_team_rel ${context.alias()}
          where workspace_id = ${context.workspace} and stage_id = ${row}.id)`,
    },
  },
  afterCreate: invalidatePipeline,
  afterWrite: async (ctx, ids, values) => {
    if ('is_won' in values) await updateLeadsOfStages(ctx, ids);
    await invalidatePipeline(ctx);
  },
  beforeUnlink: invalidatePipeline,
});

/** Marks leads as won if their stage has become a won stage, and reopens leads whose stage is no longer a won stage. */
async function updateLeadsOfStages(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update crm_lead l set probability = x.probability, automated_probability = x.probability,
       date_closed = case when x.is_won then coalesce(l.date_closed, n.now) end
     from (select id, is_won, case when is_won then 100 else 0 end as probability from crm_stage
       where workspace_id = ${ctx.workspace.id} and id = any(${ids})) x, ${NOW_ROW}
     where l.workspace_id = ${ctx.workspace.id} and l.stage_id = x.id and l.active
       and (l.probability = 100) <> x.is_won`,
  );
}
