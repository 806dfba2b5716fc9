import type { Db } from '../../../src/db/db.ts';
import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';
import type { CampaignRecipient, CampaignText } from './message.ts';

/** While this many of a workspace's campaign emails are queued, no more are created. */
const MAX_QUEUED_EMAILS = 50_000;

export interface DueCampaign extends CampaignText {
  id: number;
  reply_to: string[];
  cc: string[];
  bcc: string[];
  batch_size: number;
  batch_window_minutes: number;
  last_contact_id: number;
  batch_left: number;
}

export interface DueContact extends CampaignRecipient {
  id: number;
  suppressed: boolean;
}

export interface DueCampaignKey {
  workspace_id: number;
  id: number;
  public_id: string;
}

export const CAMPAIGN_KIND = 'campaign';

/** Finds a workspace's due campaigns without locking them, starting with the longest overdue. */
export const findDueCampaigns = (db: Db, workspaceId: number): Promise<DueCampaignKey[]> =>
  db.rows<DueCampaignKey>(
    sql`select c.workspace_id, c.id, c.public_id from svc_campaign c
     where c.workspace_id = ${workspaceId} and c.status in ('SCHEDULED', 'RUNNING') and c.next_at <= ${NOW}
     order by c.next_at limit ${sql.literal(CAMPAIGN_BATCH_SIZE)}`,
  );

const CAMPAIGN_BATCH_SIZE = 20;

export function findNextCampaignTime(db: Db, workspaceId: number): Promise<string | null> {
  return db.value<string | null>(
    sql`select ${toIsoSql(sql`min(next_at)`)} from svc_campaign
     where workspace_id = ${workspaceId} and status in ('SCHEDULED', 'RUNNING')`,
  );
}

/** Finds campaigns whose `svc_due` entry was lost in a crash. */
onSweep(async (db, workspaceId) => {
  const next = await findNextCampaignTime(db, workspaceId);
  if (next) scheduleDueWork(db, workspaceId, CAMPAIGN_KIND, { at: next });
});

/**
 * Locks and returns a campaign. Returns null if it is not due, or if `waits` is false and another process has locked
 * it. Counter updates use the same lock, but only briefly.
 */
export async function claimDueCampaign(
  db: Db,
  { workspace_id, id }: DueCampaignKey,
  waits: boolean,
): Promise<DueCampaign | null> {
  const workspace = sql.param(workspace_id);
  const [campaign] = await db.rows<DueCampaign>(
    sql`select c.workspace_id, c.id, c.public_id, c.book_id, c."from", c.subject, c.preview_text,
       coalesce(c.html, '') as html, c.reply_to, c.cc, c.bcc, c.batch_size,
       c.batch_window_minutes, c.last_contact_id, c.batch_left,
       coalesce(
         (select b.variables from svc_contact_book b where b.workspace_id = ${workspace} and b.id = c.book_id), '{}'
       ) as variables
     from svc_campaign c where c.workspace_id = ${workspace} and c.id = ${id}
       and c.status in ('SCHEDULED', 'RUNNING') and c.next_at <= ${NOW}
     for update of c ${waits ? sql.empty : sql`skip locked`}`,
  );
  return campaign ?? null;
}

export const loadDueContacts = (db: Db, campaign: DueCampaign, limit: number): Promise<DueContact[]> =>
  db.rows<DueContact>(
    sql`select c.id, c.public_id, c.email, c.first_name, c.last_name, c.properties,
       ${isSuppressed(campaign.workspace_id, sql`= lower(c.email)`)} as suppressed
     from svc_contact c
     where c.workspace_id = ${campaign.workspace_id} and c.book_id = ${campaign.book_id}
       and c.id > ${campaign.last_contact_id} and c.subscribed
     order by c.id limit ${limit}`,
  );

/** True if so many campaign emails are queued that no more should be created. */
export async function isQueueFull(db: Db, workspaceId: number): Promise<boolean> {
  const rows = await db.rows(
    sql`select 1 from svc_email where workspace_id = ${workspaceId} and state = 'queued'
       and campaign_id is not null and run_at < 'infinity'
     offset ${MAX_QUEUED_EMAILS} limit 1`,
  );
  return rows.length > 0;
}
