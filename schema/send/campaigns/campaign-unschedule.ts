import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { teamWrites } from '../kit/policies.ts';
import { lockCampaign, refuseBegun } from './campaign-lock.ts';
import { CHANGED } from './schedule.ts';

export const campaignUnscheduleVerb = verb('campaignUnschedule', {
  kind: 'mutation',
  effects: ['writes'],
  policy: teamWrites,
  description:
    'Makes a campaign that is scheduled, or paused before its first email, a draft again, and returns it.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Campaign id.' }) }),
  ...CHANGED,
  run: (ctx, { id }) => ctx.tx((tx) => unschedule(tx, String(id))),
});

async function unschedule(ctx: Ctx, id: string): Promise<true> {
  const campaign = await lockCampaign(ctx, id);
  refuseBegun(campaign, 'taken back');
  if (campaign.status === 'DRAFT') throw errors.badRequest('The campaign is not scheduled.');
  await ctx.db.rows(
    sql`update svc_campaign set status = 'DRAFT', reason = null, scheduled_at = null, next_at = null, total = 0,
       write_date = now(), write_uid = ${ctx.principal?.userId ?? null}
     where workspace_id = ${ctx.workspace.id} and id = ${campaign.id}`,
  );
  return true;
}
