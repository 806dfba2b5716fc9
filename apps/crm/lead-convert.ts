import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { type Ctx, defineOperation, isSet, returnRecords, type Values, write } from '../kit/surface.ts';
import { getLeadIds, readLeads } from './lead-close.ts';
import { findFirstStage, loadPipeline } from './pipeline.ts';

export const crmLeadConvert = defineOperation('crmLeadConvert', {
  effects: ['writes'],
  address: 'crm.lead/convert_opportunity',
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write', access: ['crm.lead', 'write'] },
  description:
    'Converts leads to opportunities and distributes them evenly among the salespeople. Won and lost leads ' +
    'are not changed.',
  formAction: {
    label: 'Convert to opportunity',
    isPrimary: true,
    offeredFor: { type: ['lead'], active: [true], won_status: ['pending'] },
  },
  args: (arg) => ({
    ids: arg.recordIds({ required: true }),
    partner: arg.recordId({
      description: 'Customer to link. Defaults to the existing customer of each lead.',
    }),
    userIds: arg.recordIds({ description: 'Salespeople to assign.' }),
    teamId: arg.recordId({ description: 'Sales team to assign.' }),
  }),
  ...returnRecords('crm.lead', facadeResult.true),
  run: (ctx, { ids, partner, userIds: users, teamId: team }) =>
    ctx.tx((tx) => convertLeads(tx, ids, partner ?? null, users ?? [], team ?? null)),
});

async function convertLeads(
  ctx: Ctx,
  ids: number[],
  partner: number | null,
  users: number[],
  team: number | null,
): Promise<true> {
  const pipeline = await loadPipeline(ctx);
  const leads = await readLeads(ctx, ids, ['active', 'probability', 'stage_id']);
  const openLeads = leads.filter((lead) => lead.active && lead.probability !== 100);
  const change = (lead: Values, index: number): Values => ({
    type: 'opportunity',
    ...(partner !== null && { partner_id: partner }),
    ...(team !== null && { team_id: team }),
    ...(users.length > 0 && { user_id: users[index % users.length] }),
    ...(!isSet(lead.stage_id) && { stage_id: findFirstStage(pipeline, team)?.id ?? false }),
  });
  const groups = Map.groupBy(
    openLeads.map((lead, index) => ({ lead, change: change(lead, index) })),
    (item) => JSON.stringify(item.change),
  );
  for (const group of groups.values())
    await write(ctx, 'crm.lead', getLeadIds(group.map(({ lead }) => lead)), group[0]!.change);
  return true;
}
