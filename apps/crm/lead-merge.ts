import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../src/engine/operation/record-result.ts';
import { unlink, write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { isSet } from '../kit/values.ts';
import { getLeadIds, readLeads } from './lead-close.ts';
import { loadPipeline, type Pipeline } from './pipeline.ts';

export const crmLeadMerge = defineOperation('crmLeadMerge', {
  effects: ['writes', 'deletes'],
  address: 'crm.lead/merge_opportunity',
  policy: { auth: ['USER'], scope: 'write', access: ['crm.lead', 'write'] },
  description:
    'Merges leads into the most advanced one and returns it. By default, the other leads are deleted.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true }),
    userId: arg.recordId({ description: 'Salesperson of the merged lead.' }),
    teamId: arg.recordId({ description: 'Sales team of the merged lead.' }),
    autoUnlink: arg.boolean({ defaultValue: true, description: 'True to delete the other leads.' }),
  }),
  ...returnRecord('crm.lead', facadeResult.ids, (mergedIds: number[]) => mergedIds[0]!),
  run: (ctx, { ids, userId: user, teamId: team, autoUnlink: deletes }) =>
    ctx.tx((tx) =>
      mergeLeads(
        tx,
        ids,
        { ...(user && { user_id: user }), ...(team && { team_id: team }) },
        deletes !== false,
      ),
    ),
});

/** A larger merge is probably a mistake. */
const MAX_MERGED_LEADS = 5;

/** Fields whose value comes from the first lead that has one. */
const FIRST_VALUE_FIELDS =
  `partner_id partner_name contact_name function email_from email_cc phone website street street2 zip city state_id
  country_id lang_id user_id team_id company_id campaign_id source_id medium_id expected_revenue recurring_revenue
  recurring_plan date_deadline referred color`.split(/\s+/);

type Lead = Values & { id: number };

async function mergeLeads(ctx: Ctx, ids: number[], overrides: Values, deletes: boolean): Promise<number[]> {
  const distinctIds = [...new Set(ids)];
  if (distinctIds.length < 2) throw errors.user('Select at least two leads or opportunities to merge.');
  if (distinctIds.length > MAX_MERGED_LEADS && !ctx.sudo)
    throw errors.user(
      `To prevent data loss, at most ${MAX_MERGED_LEADS} leads or opportunities can be merged at a time.`,
    );
  const fields = [
    ...FIRST_VALUE_FIELDS,
    'name',
    'type',
    'active',
    'stage_id',
    'probability',
    'priority',
    'tag_ids',
    'description',
  ];
  await checkMerge(ctx, distinctIds);
  const leads = sortByConfidence(await readLeads(ctx, distinctIds, fields), await loadPipeline(ctx));
  const [head, ...tail] = leads as [Lead, ...Lead[]];
  await write(ctx, 'crm.lead', [head.id], { ...mergeValues(leads), ...overrides });
  await moveRelatedRecords(ctx, head.id, getLeadIds(tail));
  // Merging requires write access to all leads, but not the right to delete them.
  if (deletes) await unlink(ctx.system(), 'crm.lead', getLeadIds(tail));
  return [head.id];
}

/** Checks write access, because a merge counts as a change to all its leads. @throws ACCESS_ERROR */
async function checkMerge(ctx: Ctx, ids: number[]): Promise<void> {
  const model = getModel(ctx, 'crm.lead');
  assertModelAccess(ctx, model, 'write');
  await assertRowsAllowed(ctx, model, ids, 'write', 'no key update');
}

/**
 * Sorts by decreasing confidence: active leads before archived ones, then opportunities, later stages, higher
 * probabilities and older leads first.
 */
export function sortByConfidence(leads: Lead[], { stages }: Pick<Pipeline, 'stages'>): Lead[] {
  const rank = (lead: Lead): number[] => [
    lead.active ? 1 : 0,
    lead.type === 'opportunity' ? 1 : 0,
    stages.findIndex((stage) => stage.id === lead.stage_id),
    Number(lead.probability),
    -lead.id,
  ];
  return [...leads].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const position = left.findIndex((value, index) => value !== right[index]);
    return position < 0 ? 0 : right[position]! - left[position]!;
  });
}

export function mergeValues(leads: Lead[]): Values {
  const values: Values = {};
  for (const name of FIRST_VALUE_FIELDS) {
    const value = leads.map((lead) => lead[name]).find((item) => isSet(item) && item !== 0);
    if (value !== undefined) values[name] = value;
  }
  return {
    ...values,
    type: leads.some((lead) => lead.type === 'opportunity') ? 'opportunity' : 'lead',
    priority: leads
      .map((lead) => String(lead.priority || '0'))
      .sort()
      .at(-1),
    tag_ids: [[6, 0, [...new Set(leads.flatMap((lead) => lead.tag_ids as number[]))]]],
    description:
      leads
        .map((lead) => lead.description)
        .filter(isSet)
        .join('<br/>') || false,
  };
}

async function moveRelatedRecords(ctx: Ctx, to: number, from: number[]): Promise<void> {
  const references = [
    ['mail_message', 'model'],
    ['mail_activity', 'res_model'],
    ['ir_attachment', 'res_model'],
  ] as const;
  for (const [table, column] of references)
    await ctx.db.rows(
      sql`update ${sql.id(table)} set res_id = ${to}
       where workspace_id = ${ctx.workspace.id} and ${sql.id(column)} = 'crm.lead' and res_id = any(${from})`,
    );
  await ctx.db.rows(
    sql`update sale_order set opportunity_id = ${to}
     where workspace_id = ${ctx.workspace.id} and opportunity_id = any(${from})`,
  );
}
