import type { Config } from '../../../src/config.ts';
import { type Db, runTogether } from '../../../src/db/db.ts';
import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import {
  createFailureGuard,
  findDueWorkspaces,
  reschedule,
  scheduleDueWork,
  writeDueTime,
} from '../../../src/engine/work/due.ts';
import { defineJob, type JobHost } from '../../../src/engine/work/jobs.ts';
import { AppError } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { extractAddress, getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { describeUnreachableLinks } from '../../../src/net/public-links.ts';
import { notify } from '../../base/notifications/notify.ts';
import { createPublicId } from '../kit/public-id.ts';
import { ALL_SUPPRESSED_REASON, getSuppressedRecipients } from '../kit/recipients.ts';
import { buildInitialCalls, buildSuppressedEvents } from '../state/initial-events.ts';
import { BULK_QUEUE } from '../state/queues.ts';
import { scheduleCallsDue } from '../state/webhook-calls.ts';
import { buildSuppressedSql } from '../suppressions/is-suppressed.ts';
import {
  CAMPAIGN_KIND,
  claimDueCampaign,
  type DueCampaign,
  type DueCampaignKey,
  type DueContact,
  findDueCampaigns,
  findNextCampaignTime,
  isQueueFull,
  loadDueContacts,
} from './due.ts';
import { type CampaignMessage, createMessages } from './message.ts';
import { type CampaignRunJob, RUN_JOB, SET_PUBLIC_URL_HINT } from './schedule.ts';

const EMAILS_PER_TRANSACTION = 500;
const WORKSPACES_PER_ROUND = 20;

defineJob({
  name: RUN_JOB,
  cron: '* * * * *',
  run: (host, data) => runCampaigns(host, (data as CampaignRunJob | null)?.workspaceId),
});

/**
 * Creates the emails of all due campaigns, alternating between campaigns in batches of contacts. Saves a batch's
 * emails, progress and status in one transaction, so that a crash cannot leave a batch incomplete.
 * @param dueWorkspaceId workspace with a newly due campaign
 */
export async function runCampaigns(host: JobHost, dueWorkspaceId?: number): Promise<void> {
  const { db, log } = host;
  if (dueWorkspaceId !== undefined) await writeDueTime(db, dueWorkspaceId, CAMPAIGN_KIND, 0);
  const guard = createFailureGuard(log, CAMPAIGN_KIND);
  let waits = false;
  for (;;) {
    const due = await findDueWorkspaces(db, CAMPAIGN_KIND, WORKSPACES_PER_ROUND, guard.resting());
    if (due.length === 0) return;
    let steppedCount = 0;
    for (const item of due) {
      const stepped = await guard.run(item.workspace_id, async () => {
        const count = await runWorkspaceSteps(host, item.workspace_id, waits);
        await reschedule(db, CAMPAIGN_KIND, item, await findNextCampaignTime(db, item.workspace_id));
        return count;
      });
      steppedCount += stepped ?? 0;
    }
    // Other processes have locked all due campaigns. Wait for them instead of ending the run.
    waits = steppedCount === 0;
  }
}

/** @returns the number of due campaigns that no other process had locked */
async function runWorkspaceSteps(host: JobHost, workspaceId: number, waits: boolean): Promise<number> {
  let count = 0;
  for (const campaign of await findDueCampaigns(host.db, workspaceId))
    if (await runStep(host, campaign, waits)) count++;
  return count;
}

/** @returns false if the campaign is no longer due, or another process has locked it */
async function runStep(
  { db, log, config }: JobHost,
  campaign: DueCampaignKey,
  waits: boolean,
): Promise<boolean> {
  let current: DueCampaign | null = null;
  try {
    return await db.transaction(async (tx) => {
      current = await claimDueCampaign(tx, campaign, waits);
      if (!current) return false;
      if ((await createNextEmails(tx, config, current)) > 0)
        scheduleDueWork(tx, current.workspace_id, BULK_QUEUE);
      return true;
    });
  } catch (error) {
    if (!current) throw error;
    log.error(
      { err: error, campaign: (current as DueCampaign).public_id },
      'could not process a campaign; retrying',
    );
    await postponeCampaign(db, current, 60);
    return true;
  }
}

async function createNextEmails(db: Db, config: Config, campaign: DueCampaign): Promise<number> {
  const domainId = await findCampaignDomain(db, campaign);
  if (campaign.book_id === null) return pauseCampaign(db, campaign, 'Its contact book has been deleted.');
  if (domainId === null) return pauseCampaign(db, campaign, "The sender's domain is no longer verified.");
  const deadLinks = describeUnreachableLinks(config);
  if (deadLinks) return pauseCampaign(db, campaign, `${deadLinks} ${SET_PUBLIC_URL_HINT}`);
  if (await isQueueFull(db, campaign.workspace_id)) return postponeCampaign(db, campaign, 10);
  const remaining = campaign.batch_left || campaign.batch_size;
  const capacity = Math.max(1, Math.floor(limits.email.madeAtOnce / Math.max(1, campaign.html.length)));
  const chunkSize = Math.min(remaining, capacity, EMAILS_PER_TRANSACTION);
  const due = await loadDueContacts(db, campaign, chunkSize);
  const messages = buildMessages(due, campaign, config);
  if (messages === null) return pauseCampaign(db, campaign, "A contact's values make an email too large.");
  const contacts = due.slice(0, messages.length);
  const createdCount = await insertCampaignEmails(db, campaign, domainId, contacts, messages);
  const isEnd = due.length < chunkSize && contacts.length === due.length;
  await advanceCampaign(db, campaign, contacts, remaining - contacts.length, isEnd);
  return createdCount;
}

/**
 * Builds messages for as many contacts as the size limit allows. Returns null if one message is too large for an email.
 */
function buildMessages(
  contacts: DueContact[],
  campaign: DueCampaign,
  config: Config,
): CampaignMessage[] | null {
  const buildMessage = createMessages(campaign, config);
  const messages: CampaignMessage[] = [];
  let count = 0;
  try {
    for (const contact of contacts) {
      const message = buildMessage(contact);
      messages.push(message);
      count += message.html.length;
      if (count >= limits.email.madeAtOnce) break;
    }
    return messages;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'BAD_REQUEST') return null;
    throw error;
  }
}

async function findCampaignDomain(db: Db, campaign: DueCampaign): Promise<number | null> {
  const name = getAddressDomain(parseAddress(campaign.from)?.address ?? '');
  const [domain] = await db.rows<{ id: number }>(
    sql`select id from svc_domain
     where workspace_id = ${campaign.workspace_id} and name = ${name} and status = 'SUCCESS'`,
  );
  return domain?.id ?? null;
}

async function pauseCampaign(db: Db, campaign: DueCampaign, reason: string): Promise<number> {
  await db.rows(
    sql`update svc_campaign set status = 'PAUSED', reason = ${reason}, write_date = now()
     where workspace_id = ${campaign.workspace_id} and id = ${campaign.id}`,
  );
  await notifyOwner(db, campaign, 'failed', reason);
  return 0;
}

async function notifyOwner(
  db: Db,
  { workspace_id: workspaceId, id }: DueCampaign,
  outcome: 'done' | 'failed',
  details: string | null,
): Promise<void> {
  const [row] = await db.rows<{ name: string; write_uid: number | null }>(
    sql`select name, write_uid from svc_campaign where workspace_id = ${workspaceId} and id = ${id}`,
  );
  const { name, write_uid: user } = row!;
  const title = outcome === 'done' ? `The campaign ${name} was sent.` : `The campaign ${name} was paused.`;
  const record = { model: 'svc.campaign', resId: id };
  await notify(db, workspaceId, user, { kind: 'campaign', outcome, title, details, ...record });
}

/** Does nothing if the campaign was rescheduled after the error released its lock. */
async function postponeCampaign(db: Db, campaign: DueCampaign, seconds: number): Promise<number> {
  await db.rows(
    sql`update svc_campaign set next_at = now() + make_interval(secs => ${seconds})
     where workspace_id = ${campaign.workspace_id} and id = ${campaign.id} and next_at <= ${NOW}`,
  );
  return 0;
}

/**
 * Skips contacts that already have an email of this campaign. Citus routes the statement to the workspace's node,
 * because the workspace id comes from the campaign.
 */
async function insertCampaignEmails(
  db: Db,
  campaign: DueCampaign,
  domainId: number,
  contacts: DueContact[],
  messages: CampaignMessage[],
): Promise<number> {
  if (contacts.length === 0) return 0;
  const ids = await db.idAllocator.allocate(campaign.workspace_id, 'svc_email', contacts.length);
  const rows = contacts.map((contact, index) => ({
    ...addSize(messages[index]!),
    id: ids[index],
    public_id: createPublicId(),
    contact_id: contact.id,
    email: contact.email,
    state: contact.suppressed ? 'suppressed' : 'queued',
  }));
  const suppressedCopies = await findSuppressedCopies(db, campaign);
  const isOpen = (text: string) => !suppressedCopies.includes(text);
  const workspace = campaign.workspace_id;
  const events = { workspace, emails: ids };
  const [inserted, calls] = await runTogether(db, [
    sql`insert into svc_email as m (workspace_id, id, public_id, domain_id, "from", "to", cc, bcc, reply_to, subject,
       html, headers, content_bytes, state, latest_status, reason, suppressed, run_at, campaign_id, contact_id)
     select c.workspace_id, r.id, r.public_id, ${domainId}::bigint, c."from", array[r.email],
       ${campaign.cc.filter(isOpen)}::text[], ${campaign.bcc.filter(isOpen)}::text[], c.reply_to, r.subject, r.html,
       r.headers, r.content_bytes, r.state, upper(r.state),
       case when r.state = 'suppressed' then ${sql.literal(ALL_SUPPRESSED_REASON)} end,
       case when r.state = 'suppressed' then array[r.email] else '{}' end || ${suppressedCopies}::text[],
       now(), c.id, r.contact_id
     from json_to_recordset(${JSON.stringify(rows)}::json)
       r(id int8, public_id text, contact_id bigint, email text, subject text, html text, headers jsonb,
         content_bytes int, state text)
     join svc_campaign c on c.workspace_id = ${workspace} and c.id = ${campaign.id}
     on conflict (workspace_id, campaign_id, contact_id) where campaign_id is not null do nothing
     returning m.id`,
    buildInitialCalls(events),
    ...(contacts.some(({ suppressed }) => suppressed) ? [buildSuppressedEvents(events)] : []),
  ]);
  scheduleCallsDue(db, workspace, calls!.length);
  return inserted!.length;
}

const addSize = (message: CampaignMessage) => ({
  ...message,
  content_bytes: Buffer.byteLength(message.html) + Buffer.byteLength(JSON.stringify(message.headers)),
});

async function findSuppressedCopies(db: Db, { workspace_id, cc, bcc }: DueCampaign): Promise<string[]> {
  if (cc.length + bcc.length === 0) return [];
  const rows = await db.rows<{ email: string }>(
    buildSuppressedSql(workspace_id, [...cc, ...bcc].map(extractAddress)),
  );
  return getSuppressedRecipients({ to: [], cc, bcc }, new Set(rows.map((row) => row.email)));
}

/**
 * Saves the campaign's progress, and queues the campaign behind the other due campaigns. After a full batch, the
 * campaign waits for the batch window. Ends the campaign after the last contact.
 */
async function advanceCampaign(
  db: Db,
  campaign: DueCampaign,
  contacts: DueContact[],
  remaining: number,
  isEnd: boolean,
): Promise<void> {
  const { workspace_id, id } = campaign;
  const emailCount = sql`(select count(*) from svc_email e
    where e.workspace_id = ${workspace_id} and e.campaign_id = ${id})`;
  await db.rows(
    sql`update svc_campaign c set status = ${isEnd ? 'SENT' : 'RUNNING'}, write_date = now(),
       last_contact_id = ${contacts.at(-1)?.id ?? campaign.last_contact_id}, batch_left = ${Math.max(0, remaining)},
       next_at = ${new Date().toISOString()}::timestamp
         + make_interval(mins => ${remaining <= 0 ? sql`batch_window_minutes` : sql`0`}),
       total = ${isEnd ? emailCount : sql`total`}
     where workspace_id = ${workspace_id} and id = ${id}`,
  );
  if (isEnd) await notifyOwner(db, campaign, 'done', null);
}
