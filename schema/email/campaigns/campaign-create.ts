import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { checkSender, type SenderDomain } from '../accept/sender-domain.ts';
import { getBook } from '../contacts/books.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { insertRow } from '../kit/insert-row.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { createPublicId } from '../kit/public-id.ts';
import { buildCampaignColumns, type CampaignInput, CampaignInputShape } from './campaign-input.ts';
import { Campaign, campaignResource } from './campaign-shape.ts';
import { loadCampaignJson } from './campaigns.ts';
import { scheduleCampaign } from './schedule.ts';

export const campaignCreate = defineOperation('campaignCreate', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Creates a campaign and returns it. It is a draft unless it is sent now or scheduled; if that fails, no ' +
    'campaign is created.',
  args: (arg) => ({
    campaign: arg({
      type: CampaignInputShape.ref,
      required: true,
      description: 'Content, recipients and time of the new campaign.',
    }),
  }),
  type: Campaign,
  run: (ctx, { campaign }) => createCampaign(ctx, campaign),
  answer: (ctx, campaign, _args, info) =>
    returnResource(ctx, campaignResource, campaign.value<{ id: string }>().id, info),
});

function createCampaign(ctx: Ctx, input: CampaignInput): Promise<RawJson> {
  const isScheduled = input.scheduledAt !== null && input.scheduledAt !== undefined;
  if (input.sendNow && isScheduled) throw errors.badField('scheduledAt', 'cannot be combined with sendNow.');
  const { columns, domain } = buildCampaignColumns(input);
  return ctx.tx(async (tx) => {
    await checkSenderDomain(tx, domain);
    const book = await getBook(tx, input.contactBookId);
    const id = createPublicId();
    await insertRow(tx, 'svc_campaign', { ...columns, book_id: book.id, public_id: id });
    if (input.sendNow || isScheduled)
      await scheduleCampaign(tx, id, { scheduledAt: input.sendNow ? null : input.scheduledAt });
    return loadCampaignJson(tx, id);
  });
}

export async function checkSenderDomain(ctx: Ctx, name: string): Promise<void> {
  const [domain] = await ctx.db.rows<SenderDomain>(
    sql`select id, name, status from svc_domain where workspace_id = ${ctx.workspace.id} and name = ${name}`,
  );
  checkSender(name, domain, getBoundDomain(ctx));
}
