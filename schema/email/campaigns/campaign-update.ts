import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getBook } from '../contacts/books.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { checkSenderDomain } from './campaign-create.ts';
import {
  ABOUT_BATCH_SIZE,
  ABOUT_BATCH_WINDOW,
  buildCampaignColumns,
  type CampaignInput,
} from './campaign-input.ts';
import { lockCampaign, rejectStarted } from './campaign-lock.ts';
import { checkVariables } from './check-variables.ts';
import { countSubscribers, returnCampaign } from './schedule.ts';

export const CampaignChanges = builder.inputType('CampaignChanges', {
  description: 'Fields of a campaign to change. Omitted fields keep their values.',
  fields: (t) => ({
    name: t.string({ description: 'Name shown in lists. Recipients never see it.' }),
    from: t.string({ description: 'Sender, as `Name <address>` or a bare address on a verified domain.' }),
    subject: t.string({ description: 'Subject line. May contain variables.' }),
    contactBookId: t.id({ description: 'Contact book to send to.' }),
    previewText: t.string({ description: 'Text shown after the subject in an inbox; null removes it.' }),
    html: t.string({ description: 'HTML body. Replaces `content`.' }),
    content: t.string({ description: 'Block editor document (JSON). Replaces `html`.' }),
    replyTo: t.stringList({ description: 'Addresses that replies go to; null removes them.' }),
    cc: t.stringList({ description: 'Addresses that get a copy of every email; null removes them.' }),
    bcc: t.stringList({ description: 'Addresses that get a blind copy of every email; null removes them.' }),
    batchSize: t.int({ description: ABOUT_BATCH_SIZE }),
    batchWindowMinutes: t.int({ description: ABOUT_BATCH_WINDOW }),
  }),
});

export type CampaignChangesInput = typeof CampaignChanges.$inferInput;

export const campaignUpdate = defineOperation('campaignUpdate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Changes a campaign whose sending has not started, and returns it. A scheduled campaign stays scheduled. ' +
    'Change the time with `campaignSchedule`.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    campaign: arg({ type: CampaignChanges, required: true, description: 'Fields to change.' }),
  }),
  ...returnCampaign,
  run: (ctx, { id, campaign }) => ctx.tx((tx) => updateCampaign(tx, String(id), campaign)),
});

/**
 * @throws NOT_FOUND
 * @throws BAD_REQUEST for an invalid field, or if sending has started
 */
async function updateCampaign(ctx: Ctx, id: string, changes: CampaignChangesInput): Promise<true> {
  const campaign = await lockCampaign(ctx, id);
  rejectStarted(campaign, 'changed');
  const input = applyCampaignChanges(await loadCampaignInput(ctx, campaign.id), changes);
  const { columns, domain } = buildCampaignColumns(input);
  await checkSenderDomain(ctx, domain);
  const book = changes.contactBookId ? (await getBook(ctx, input.contactBookId)).id : campaign.book_id;
  await ctx.db.rows(
    sql`update svc_campaign c set name = n.name, "from" = n."from", subject = n.subject,
       preview_text = n.preview_text, html = n.html, content = n.content, reply_to = n.reply_to, cc = n.cc,
       bcc = n.bcc, batch_size = n.batch_size, batch_window_minutes = n.batch_window_minutes, book_id = ${book},
       write_date = now(), write_uid = ${ctx.principal?.userId ?? null}
     from json_to_record(${JSON.stringify(columns)}::json) n(name text, "from" text, subject text, preview_text text,
       html text, content text, reply_to text[], cc text[], bcc text[], batch_size int, batch_window_minutes int)
     where c.workspace_id = ${ctx.workspace.id} and c.id = ${campaign.id}`,
  );
  if (campaign.status !== 'DRAFT') await checkReady(ctx, campaign.id, book);
  return true;
}

/** Repeats the checks of scheduling after a change. @throws BAD_REQUEST */
async function checkReady(ctx: Ctx, id: number, book: number | null): Promise<void> {
  const total = await countSubscribers(ctx, book);
  await checkVariables(ctx, id);
  await ctx.db.rows(
    sql`update svc_campaign set total = ${total} where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
}

export async function loadCampaignInput(ctx: Ctx, id: number): Promise<CampaignInput> {
  const [row] = await ctx.db.rows<CampaignInput>(
    sql`select name, "from", subject, '' as "contactBookId", preview_text as "previewText", html, content,
       reply_to as "replyTo", cc, bcc, batch_size as "batchSize", batch_window_minutes as "batchWindowMinutes"
     from svc_campaign where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  return row!;
}

const EMPTYABLE_FIELDS = new Set(['previewText', 'replyTo', 'cc', 'bcc']);

export function applyCampaignChanges(campaign: CampaignInput, changes: CampaignChangesInput): CampaignInput {
  const entries = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && (value !== null || EMPTYABLE_FIELDS.has(name)),
  );
  const content = changes.html && !changes.content ? { content: null } : {};
  return { ...campaign, ...content, ...Object.fromEntries(entries) };
}
