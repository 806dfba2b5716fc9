import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { call } from '../../src/engine/operation/call.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../src/engine/operation/record-result.ts';
import { read } from '../../src/engine/read/records.ts';
import { write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { linkId } from '../kit/values.ts';
import { findWonStage, loadPipeline } from './pipeline.ts';

const WRITE_POLICY: Policy = { auth: ['USER'], scope: 'write', access: ['crm.lead', 'write'] };

export const crmLeadMarkWon = defineOperation('crmLeadMarkWon', {
  effects: ['writes'],
  address: 'crm.lead/action_set_won',
  onRecords: true,
  policy: WRITE_POLICY,
  description:
    'Marks leads as won: moves each to the next won stage of its team and sets its probability to 100.',
  formAction: {
    label: 'Mark as won',
    isPrimary: true,
    offeredFor: { type: ['opportunity'], won_status: ['pending'] },
  },
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('crm.lead', facadeResult.true),
  run: (ctx, { ids }) => ctx.tx((tx) => markWon(tx, ids)),
});

async function markWon(ctx: Ctx, ids: number[]): Promise<true> {
  const pipeline = await loadPipeline(ctx);
  const leads = await readLeads(ctx, ids, ['stage_id', 'team_id']);
  const groups = Map.groupBy(
    leads,
    (lead) => findWonStage(pipeline, linkId(lead.team_id), linkId(lead.stage_id))?.id,
  );
  for (const [stage, leads] of groups) {
    if (stage === undefined)
      throw errors.user(
        "The lead's team has no stage that is marked as won. Set is_won on a stage (crm.stage) first.",
      );
    await write(ctx, 'crm.lead', getLeadIds(leads), { active: true, stage_id: stage, probability: 100 });
  }
  return true;
}

export const crmLeadMarkLost = defineOperation('crmLeadMarkLost', {
  effects: ['writes'],
  address: 'crm.lead/action_set_lost',
  onRecords: true,
  policy: WRITE_POLICY,
  description:
    'Marks leads as lost: archives them, sets their probability to 0 and updates the given fields.',
  formAction: {
    label: 'Mark as lost',
    offeredFor: { active: [true], won_status: ['pending'] },
    asks: {
      lostReasonId: { label: 'Lost Reason', relation: 'crm.lost.reason' },
      closingNote: { label: 'Closing Note' },
    },
  },
  args: (arg) => ({
    ids: arg.recordIds({ required: true }),
    lostReasonId: arg.recordId({ description: 'Lost reason to set on the leads.' }),
    userId: arg.recordId({ description: 'Salesperson to assign.' }),
    teamId: arg.recordId({ description: 'Sales team to assign.' }),
    stageId: arg.recordId({ description: 'Stage to move the leads to.' }),
    tagIds: arg.recordIds({ description: 'Tags that replace the existing ones.' }),
    description: arg.string({ description: 'Notes that replace the existing ones.' }),
    closingNote: arg.string({ description: 'Text to post as an internal note on each lead.' }),
  }),
  ...returnRecords('crm.lead', facadeResult.null),
  run: async (ctx, { ids, lostReasonId, userId, teamId, stageId, tagIds, description, closingNote }) => {
    const extra = {
      lost_reason_id: lostReasonId,
      user_id: userId,
      team_id: teamId,
      stage_id: stageId,
      tag_ids: tagIds && [[6, 0, tagIds]],
      description,
    };
    const values = Object.fromEntries(
      Object.entries(extra).filter(([, value]) => value !== undefined && value !== null),
    );
    if (linkId(stageId) === null) await rejectWonLeads(ctx, ids);
    await ctx.tx(async (tx) => {
      await write(tx, 'crm.lead', ids, { ...values, active: false, probability: 0 });
      if (closingNote?.trim())
        for (const id of ids)
          await call(tx, 'recordMessagePost', { model: 'crm.lead', ids: [id], body: closingNote });
    });
    return null;
  },
});

async function rejectWonLeads(ctx: Ctx, ids: number[]): Promise<void> {
  const { stages } = await loadPipeline(ctx);
  const won = new Set(stages.filter((stage) => stage.isWon).map(({ id }) => id));
  const leads = await readLeads(ctx, ids, ['stage_id']);
  if (leads.some((lead) => won.has(linkId(lead.stage_id) ?? 0)))
    throw errors.validation(
      'A lead in a Won stage cannot be marked as lost. Move it to another stage first.',
    );
}

export const crmLeadArchive = defineOperation('crmLeadArchive', {
  effects: ['writes'],
  address: 'crm.lead/action_archive',
  policy: WRITE_POLICY,
  description: 'Marks leads as lost by archiving them and setting their probability to 0.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('crm.lead', facadeResult.null),
  run: async (ctx, { ids }) => {
    await write(ctx, 'crm.lead', ids, { active: false, probability: 0 });
    return null;
  },
});

const RESTORE_DEFAULTS = {
  effects: ['writes'],
  policy: WRITE_POLICY,
  description:
    'Restores lost leads, clears their lost reason and resets their probability to its automated value.',
  ...returnRecords('crm.lead', facadeResult.null),
} as const;

export const crmLeadUnarchive = defineOperation('crmLeadUnarchive', {
  ...RESTORE_DEFAULTS,
  address: 'crm.lead/action_unarchive',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  run: (ctx, { ids }) => ctx.tx((tx) => restoreLeads(tx, ids)),
});

export const crmLeadRestore = defineOperation('crmLeadRestore', {
  ...RESTORE_DEFAULTS,
  address: 'crm.lead/action_restore',
  onRecords: true,
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  run: (ctx, { ids }) => ctx.tx((tx) => restoreLeads(tx, ids)),
});

async function restoreLeads(ctx: Ctx, ids: number[]): Promise<null> {
  const leads = await readLeads(ctx, ids, ['active', 'automated_probability']);
  const lostLeads = leads.filter((lead) => !lead.active);
  for (const [probability, leads] of Map.groupBy(lostLeads, (lead) => lead.automated_probability))
    await write(ctx, 'crm.lead', getLeadIds(leads), { active: true, lost_reason_id: false, probability });
  return null;
}

type Lead = Record<string, unknown> & { id: number };

/** Reads leads with the caller's access rights, including archived leads. Returns relations as ids. */
export async function readLeads(ctx: Ctx, ids: number[], fields: string[]): Promise<Lead[]> {
  const leads = (
    await read(ctx, { model: 'crm.lead', ids: [...new Set(ids)], fields, flavour: 'ids' })
  ).value<Lead[]>();
  const absentIds = ids.filter((id) => !leads.some((lead) => lead.id === id));
  if (absentIds.length) throw errors.missing('crm.lead', absentIds, ctx.principal?.userId);
  return leads;
}

export const getLeadIds = (leads: Lead[]): number[] => leads.map((lead) => lead.id);
