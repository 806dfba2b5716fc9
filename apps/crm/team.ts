import { type Ctx, companyRule, defineModel, errors, sql } from '../kit/surface.ts';
import { invalidatePipeline } from './pipeline.ts';

defineModel('crm.team', {
  group: 'data',
  order: 'sequence, create_date desc, id desc',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  rules: [companyRule()],
  mixins: ['mail.thread'],
  afterCreate: invalidatePipeline,
  afterWrite: invalidatePipeline,
  beforeUnlink: async (ctx, ids) => {
    await rejectUsedTeams(ctx, ids);
    await invalidatePipeline(ctx);
  },
});

/** Rejects deleting a team with leads. It can only be archived. @throws USER_ERROR */
async function rejectUsedTeams(ctx: Ctx, ids: number[]): Promise<void> {
  const [used] = await ctx.db.rows(
    sql`select 1 from crm_lead where workspace_id = ${ctx.workspace.id} and team_id = any(${ids}) limit 1`,
  );
  if (used) throw errors.user('A team that has leads cannot be deleted; archive it instead.');
}
