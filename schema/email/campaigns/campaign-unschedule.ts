import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { lockCampaign, rejectStartedCampaign } from './campaign-lock.ts';
import { returnCampaign } from './schedule.ts';

export const campaignUnschedule = defineOperation('campaignUnschedule', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Reverts a campaign to a draft and returns it. The campaign must be scheduled, or paused before its first email.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Campaign id.' }) }),
  ...returnCampaign,
  run: (ctx, { id }) => ctx.tx((tx) => unscheduleCampaign(tx, String(id))),
});

async function unscheduleCampaign(ctx: Ctx, id: string): Promise<true> {
  const campaign = await lockCampaign(ctx, id);
  rejectStartedCampaign(campaign, 'unscheduled');
  if (campaign.status === 'DRAFT') throw errors.badRequest('The campaign is not scheduled.');
  await ctx.db.rows(
    sql`update svc_campaign set status = 'DRAFT', reason = null, scheduled_at = null, next_at = null, total = 0,
       write_date = now(), write_uid = ${ctx.principal?.userId ?? null}
     where workspace_id = ${ctx.workspace.id} and id = ${campaign.id}`,
  );
  return true;
}
