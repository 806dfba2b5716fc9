import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { rejectOtherDomainCampaign } from './campaign-sender.ts';
import type { CampaignStatus } from './campaigns.ts';

export interface CampaignRow {
  id: number;
  status: CampaignStatus;
  book_id: number | null;
  row_version: number;
  last_contact_id: number;
  /** Unix time in milliseconds. */
  scheduled: number | null;
  /** True if a started campaign has created all its emails. */
  is_made: boolean;
}

/** Locks the campaign until the end of the transaction. @throws NOT_FOUND */
export async function lockCampaign(ctx: Ctx, id: string): Promise<CampaignRow> {
  await rejectOtherDomainCampaign(ctx, id);
  const [row] = await ctx.db.rows<CampaignRow>(
    sql`select id, status, book_id, row_version, last_contact_id,
       (extract(epoch from scheduled_at) * 1000)::float8 as scheduled, next_at is null as is_made
     from svc_campaign where workspace_id = ${ctx.workspace.id} and public_id = ${id} for update`,
  );
  if (!row) throw errors.notFound('Campaign');
  return row;
}

/**
 * @param done rejected action in the error message, such as `changed`
 * @throws BAD_REQUEST if sending has started
 */
export function rejectStartedCampaign({ status, last_contact_id }: CampaignRow, done: string): void {
  if (last_contact_id > 0 || !['DRAFT', 'SCHEDULED', 'PAUSED'].includes(status))
    throw errors.badRequest(`The campaign is ${status} and cannot be ${done}: sending has started.`);
}
