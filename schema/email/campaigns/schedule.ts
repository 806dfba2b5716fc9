import { GraphQLBoolean, type GraphQLResolveInfo } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { GraphQLJson } from '../../../src/engine/operation/builder.ts';
import { buildArguments } from '../../../src/engine/operation/input.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { errors } from '../../../src/errors.ts';
import { describeUnreachableLinks } from '../../../src/net/public-links.ts';
import { DeletedRecord } from '../../settings/deleted.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { cancel } from '../state/cancel.ts';
import { CampaignInputShape, parseBatchSize, parseBatchWindow } from './campaign-input.ts';
import { type CampaignRow, lockCampaign, rejectStartedCampaign } from './campaign-lock.ts';
import { Campaign, campaignResource } from './campaign-shape.ts';
import { type CampaignStatus, loadCampaignJson } from './campaigns.ts';
import { checkVariables } from './check-variables.ts';
import { CAMPAIGN_KIND } from './due.ts';
import {
  buildQueuedCondition,
  hasMail,
  holdCampaignMail,
  RELEASE_JOB,
  type ReleaseJob,
  releaseCampaignMail,
} from './hold-mail.ts';
import { parseTimeText } from './parse-time.ts';

/** Tolerance for a start time in the past. */
const MAX_PAST_MS = 5 * 60_000;

export const RUN_JOB = 'campaign-run';

/** Workspace with a newly due campaign. The scheduled run covers all workspaces. */
export interface CampaignRunJob {
  workspaceId?: number;
}

/** Result of a campaign change: true in facades, the campaign in GraphQL. */
export const returnCampaign = {
  type: Campaign,
  returns: GraphQLBoolean,
  answer: (ctx: Ctx, _done: true, { id }: { id: string }, info: GraphQLResolveInfo) =>
    returnResource(ctx, campaignResource, id, info),
};

const { scheduledAt, batchSize, batchWindowMinutes } = CampaignInputShape.parts;

export const campaignSchedule = defineOperation('campaignSchedule', {
  effects: ['writes', 'sends'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Schedules a campaign that has not started, or sends it immediately if no time is given, and returns ' +
    'it. Rejected if the book has no subscribed contacts, the time is in the past, or the text uses a ' +
    'variable that the book does not define.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    ...buildArguments(arg, { scheduledAt, batchSize, batchWindowMinutes }),
  }),
  ...returnCampaign,
  run: (ctx, { id, ...asked }) => ctx.tx((tx) => scheduleCampaign(tx, String(id), asked)),
});

/**
 * @throws NOT_FOUND
 * @throws BAD_REQUEST if the time is invalid or past, sending has started, the book has no subscribers, or a variable
 * is undefined
 */
export async function scheduleCampaign(
  ctx: Ctx,
  id: string,
  schedule: { scheduledAt?: string | null; batchSize?: number | null; batchWindowMinutes?: number | null },
): Promise<true> {
  const campaign = await lockCampaign(ctx, id);
  rejectStartedCampaign(campaign, 'scheduled');
  rejectUnreachableLinks(ctx);
  const size = parseBatchSize(schedule.batchSize);
  const window = parseBatchWindow(schedule.batchWindowMinutes);
  const now = Date.now();
  const time = await parseStartTime(schedule.scheduledAt, now);
  const total = await countSubscribers(ctx, campaign.book_id);
  await checkVariables(ctx, campaign.id);
  const at = sql`${sql.param(new Date(time).toISOString())}::timestamptz at time zone 'UTC'`;
  await ctx.db.rows(
    sql`update svc_campaign set status = 'SCHEDULED', reason = null, scheduled_at = ${at}, next_at = ${at},
       total = ${total}, batch_size = coalesce(${size}, batch_size),
       batch_window_minutes = coalesce(${window}, batch_window_minutes),
       row_version = row_version + ${size === null && window === null ? 0 : 1}, write_date = now(),
       write_uid = ${ctx.principal?.userId ?? null}
     where workspace_id = ${ctx.workspace.id} and id = ${campaign.id}`,
  );
  if (time <= now)
    await ctx.runtime.jobs.enqueue(ctx, RUN_JOB, { workspaceId: ctx.workspace.id } satisfies CampaignRunJob);
  else scheduleDueWork(ctx.db, ctx.workspace.id, CAMPAIGN_KIND, { at: new Date(time).toISOString() });
  return true;
}

/** @throws BAD_REQUEST if recipients could not unsubscribe */
function rejectUnreachableLinks({ runtime }: Ctx): void {
  const problem = describeUnreachableLinks(runtime.config);
  if (problem) throw errors.badRequest(`${problem} ${SET_PUBLIC_URL_HINT}`);
}

export const SET_PUBLIC_URL_HINT =
  'Set PUBLIC_URL to an address that recipients can reach, so that they can unsubscribe.';

/** Defaults to now. Rejects a blank string, because an empty form field must not send to everyone immediately. */
async function parseStartTime(scheduledAt: string | null | undefined, now: number): Promise<number> {
  if (scheduledAt === null || scheduledAt === undefined) return now;
  if (scheduledAt.trim() === '')
    throw errors.badField(
      'scheduledAt',
      'must not be blank. Set a time, or omit the field to send immediately.',
    );
  return checkNotPast(await parseTimeText(scheduledAt, now), now);
}

/** Allows a time that has just passed. Rejects an earlier one, because it would send to everyone immediately. */
function checkNotPast(time: number, now: number): number {
  if (time < now - MAX_PAST_MS)
    throw errors.badField(
      'scheduledAt',
      `${new Date(time).toISOString()} is in the past. To send immediately, use sendNow or ` +
        `schedule without a time.`,
    );
  return time;
}

/** Counts the contacts that would receive the campaign now. @throws BAD_REQUEST if the book has no subscribers */
export async function countSubscribers(ctx: Ctx, bookId: number | null): Promise<number> {
  if (bookId === null) throw errors.badRequest('The contact book of this campaign has been deleted.');
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_contact
     where workspace_id = ${ctx.workspace.id} and book_id = ${bookId} and subscribed`,
  );
  if (count === 0) throw errors.badRequest('The contact book has no subscribed contacts.');
  return count;
}

export const campaignPause = defineOperation('campaignPause', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Pauses a scheduled or running campaign, holds its queued emails, and returns it. A ' +
    'campaign with status SENT can be ' +
    'paused while some of its emails are queued.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Campaign id.' }) }),
  ...returnCampaign,
  run: (ctx, { id }) => pauseCampaign(ctx, String(id)),
});

async function pauseCampaign(ctx: Ctx, id: string): Promise<true> {
  const number = await ctx.tx(async (tx) => {
    const campaign = await lockCampaign(tx, id);
    const { status } = campaign;
    const waits = status === 'SENT' && (await hasMail(tx.db, tx.workspace.id, campaign.id));
    if (status !== 'SCHEDULED' && status !== 'RUNNING' && !waits)
      throw errors.badRequest(
        `The campaign is ${status}. Only campaigns that are scheduled or running, or that have queued emails, can be ` +
          'paused.',
      );
    await setCampaignStatus(tx, campaign.id, 'PAUSED');
    return campaign.id;
  });
  await holdCampaignMail(ctx.db, ctx.workspace.id, number);
  return true;
}

export const campaignResume = defineOperation('campaignResume', {
  effects: ['writes', 'sends'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Resumes a paused campaign at its scheduled time, or immediately if that has passed, and ' +
    'returns it. If all of its emails ' +
    'have been created, its status becomes SENT.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Campaign id.' }) }),
  ...returnCampaign,
  run: (ctx, { id }) => resumeCampaign(ctx, String(id)),
});

async function resumeCampaign(ctx: Ctx, id: string): Promise<true> {
  const release = await ctx.tx(async (tx): Promise<ReleaseJob> => {
    const campaign = await lockCampaign(tx, id);
    if (campaign.status !== 'PAUSED')
      throw errors.badRequest(`The campaign is ${campaign.status}. Only paused campaigns can be resumed.`);
    rejectUnreachableLinks(tx);
    const status = getResumedStatus(campaign);
    await setCampaignStatus(tx, campaign.id, status);
    if (status !== 'SENT')
      await tx.runtime.jobs.enqueue(tx, RUN_JOB, { workspaceId: tx.workspace.id } satisfies CampaignRunJob);
    const release = { workspaceId: tx.workspace.id, id: campaign.id };
    await tx.runtime.jobs.enqueue(tx, RELEASE_JOB, release);
    return release;
  });
  await releaseCampaignMail(ctx.db, release.workspaceId, release.id);
  return true;
}

function getResumedStatus({ last_contact_id, scheduled, is_made }: CampaignRow): CampaignStatus {
  if (is_made) return 'SENT';
  return last_contact_id === 0 && (scheduled ?? 0) > Date.now() ? 'SCHEDULED' : 'RUNNING';
}

/**
 * Clears the next run of a sent campaign, so that contacts added later get no mail. A pause between two batches does
 * not shorten the interval between them.
 */
function setCampaignStatus(ctx: Ctx, id: number, status: CampaignStatus) {
  const now = new Date().toISOString();
  return ctx.db.rows(
    sql`update svc_campaign set status = ${status}, reason = null, write_date = now(),
       write_uid = ${ctx.principal?.userId ?? null},
       next_at = case when ${status} = 'SCHEDULED' then scheduled_at
         when status <> 'SENT' and next_at is not null then greatest(next_at, ${now}::timestamp) end
     where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
}

export const campaignDelete = defineOperation('campaignDelete', {
  effects: ['writes', 'deletes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Deletes a campaign. Queued emails are canceled; sent emails are kept.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Campaign id.' }) }),
  type: DeletedRecord,
  returns: GraphQLJson,
  run: (ctx, { id }) => deleteCampaign(ctx, String(id)),
  answer: (_ctx, _shown, { id }) => ({ id }),
});

async function deleteCampaign(ctx: Ctx, id: string): Promise<RawJson> {
  const { shown, number } = await ctx.tx(async (tx) => {
    const { id: number } = await lockCampaign(tx, id);
    const campaign = await loadCampaignJson(tx, id);
    // The emails keep the campaign's id: there may be millions, and the worker uses the id to skip the unsent ones.
    await tx.db.rows(
      sql`delete from svc_campaign where workspace_id = ${tx.workspace.id} and id = ${number}`,
    );
    return { shown: campaign, number };
  });
  // Runs after the commit to avoid a deadlock, because recording delivery events locks the campaign too.
  await cancel(
    ctx.db,
    ctx.workspace.id,
    buildQueuedCondition(ctx.workspace.id, number),
    'The campaign was deleted.',
  );
  return shown;
}
