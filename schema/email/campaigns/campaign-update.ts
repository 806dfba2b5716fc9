import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { assertVersion, describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { getBook } from '../contacts/books.ts';
import { COLUMN_TYPE_SQL } from '../kit/input-columns.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { checkSenderDomain } from './campaign-create.ts';
import {
  buildCampaignColumns,
  CAMPAIGN_COLUMNS,
  type CampaignChanges,
  CampaignChangesShape,
  type CampaignInput,
} from './campaign-input.ts';
import { lockCampaign, rejectStartedCampaign } from './campaign-lock.ts';
import { checkVariables } from './check-variables.ts';
import { countSubscribers, returnCampaign } from './schedule.ts';

export const campaignUpdate = defineOperation('campaignUpdate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Changes a campaign whose sending has not started, and returns it. A scheduled campaign stays scheduled. ' +
    'Change the time with `campaignSchedule`.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    campaign: arg({ type: CampaignChangesShape.ref, required: true, description: 'Fields to change.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('campaign') }),
  }),
  ...returnCampaign,
  run: (ctx, { id, campaign, expectedVersion }) =>
    ctx.tx((tx) => updateCampaign(tx, String(id), campaign, expectedVersion)),
});

/**
 * @throws NOT_FOUND
 * @throws STALE if the campaign does not have the expected version
 * @throws BAD_REQUEST for an invalid field, or if sending has started
 */
async function updateCampaign(
  ctx: Ctx,
  id: string,
  changes: CampaignChanges,
  expectedVersion: number | null | undefined,
): Promise<true> {
  const campaign = await lockCampaign(ctx, id);
  assertVersion('campaign', campaign.row_version, expectedVersion);
  rejectStartedCampaign(campaign, 'changed');
  const input = applyCampaignChanges(await loadCampaignInput(ctx, campaign.id), changes);
  const { columns, domain } = buildCampaignColumns(input);
  await checkSenderDomain(ctx, domain);
  const book = changes.contactBookId ? (await getBook(ctx, input.contactBookId)).id : campaign.book_id;
  await ctx.db.rows(
    sql`update svc_campaign c set ${assignments}, book_id = ${book},
       row_version = row_version + 1, write_date = now(), write_uid = ${ctx.principal?.userId ?? null}
     from json_to_record(${JSON.stringify(columns)}::json) n(${columnTypes})
     where c.workspace_id = ${ctx.workspace.id} and c.id = ${campaign.id}`,
  );
  if (campaign.status !== 'DRAFT') await checkCampaignReady(ctx, campaign.id, book);
  return true;
}

const assignments = sql.join(CAMPAIGN_COLUMNS.map(({ name }) => sql`${sql.id(name)} = ${sql.id('n', name)}`));
const columnTypes = sql.join(
  CAMPAIGN_COLUMNS.map(({ name, type }) => sql`${sql.id(name)} ${COLUMN_TYPE_SQL[type]}`),
);
const inputFields = sql.join(
  CAMPAIGN_COLUMNS.map(({ name, field }) => sql`${sql.id(name)} as ${sql.id(field)}`),
);

/** Repeats the scheduling checks after a change. @throws BAD_REQUEST */
async function checkCampaignReady(ctx: Ctx, id: number, book: number | null): Promise<void> {
  const total = await countSubscribers(ctx, book);
  await checkVariables(ctx, id);
  await ctx.db.rows(
    sql`update svc_campaign set total = ${total} where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
}

export async function loadCampaignInput(ctx: Ctx, id: number): Promise<CampaignInput> {
  const [row] = await ctx.db.rows<CampaignInput>(
    sql`select '' as "contactBookId", ${inputFields}
     from svc_campaign where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  return row!;
}

const EMPTYABLE_FIELDS = new Set(['previewText', 'replyTo', 'cc', 'bcc']);

export function applyCampaignChanges(campaign: CampaignInput, changes: CampaignChanges): CampaignInput {
  const entries = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && (value !== null || EMPTYABLE_FIELDS.has(name)),
  );
  const content = changes.html && !changes.content ? { content: null } : {};
  return { ...campaign, ...content, ...Object.fromEntries(entries) };
}
