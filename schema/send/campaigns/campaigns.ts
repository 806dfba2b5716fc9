import { iso } from '../../../src/db/iso.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { pageNumber } from '../kit/json-list.ts';
import { teamReads } from '../kit/policies.ts';
import { isOfDomain, refuseOther } from './campaign-sender.ts';

/** Changed by its verbs only: what a campaign may do depends on its status. */
defineModel('svc.campaign', {
  order: 'id desc',
  access: { 'base.group_user': 'r', [ADMIN_GROUP]: 'r' },
  graph: { type: 'Campaign', one: 'campaign', many: 'campaigns' },
});

const STATUSES = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'] as const;
export type CampaignStatus = (typeof STATUSES)[number];

const SHORT = sql`'id', c.public_id, 'name', c.name, 'from', c."from", 'subject', c.subject,
  'createdAt', ${iso(sql`c.create_date`)}, 'updatedAt', ${iso(sql`c.write_date`)}, 'status', c.status,
  'scheduledAt', ${iso(sql`c.scheduled_at`)}, 'total', c.total, 'sent', c.sent,
  'delivered', c.delivered, 'unsubscribed', c.unsubscribed`;
const WHOLE = sql`${SHORT}, 'previewText', c.preview_text, 'contactBookId', b.public_id,
  'html', c.html, 'content', c.content, 'batchSize', c.batch_size, 'batchWindowMinutes', c.batch_window_minutes,
  'opened', c.opened, 'clicked', c.clicked, 'bounced', c.bounced, 'hardBounced', c.hard_bounced,
  'complained', c.complained, 'replyTo', c.reply_to, 'cc', c.cc, 'bcc', c.bcc,
  'teamId', c.workspace_id, 'reason', c.reason`;

verb('campaignList', {
  kind: 'query',
  policy: teamReads,
  description:
    `Returns a page of ${limits.campaign.page} campaigns, newest first, with the number of pages. ` +
    `Same shape as in the email REST API.`,
  args: (arg) => ({
    page: arg.int({ defaultValue: 1, description: 'Page number, starting at 1.' }),
    status: arg.string({
      description: `Only campaigns with this status: ${STATUSES.join(', ')}.`,
    }),
    search: arg.string({ description: 'Text in the name or subject, in any case.' }),
  }),
  async run(ctx, { page, status, search }) {
    if (status && !STATUSES.includes(status as CampaignStatus))
      throw errors.badRequest(`status is one of ${STATUSES.join(', ')}`);
    const part = sql.param(search?.toLowerCase());
    const found = sql`(strpos(lower(c.name), ${part}) > 0 or strpos(lower(c.subject), ${part}) > 0)`;
    const where = sql`c.workspace_id = ${ctx.workspace.id} and ${status ? sql`c.status = ${status}` : sql`true`}
      and ${search ? found : sql`true`} and ${isOfDomain(boundDomain(ctx))}`;
    const start = (pageNumber(page) - 1) * limits.campaign.page;
    const row = await jsonRow<{ json: string; n: number; count: number }>(
      ctx.db,
      sql`select coalesce(json_agg(json_build_object(${SHORT}) order by c.id desc), '[]')::text as json,
         count(*)::int as n, (select count(*)::int from svc_campaign c where ${where}) as count
       from (
         select * from svc_campaign c where ${where} order by c.id desc limit ${limits.campaign.page} offset ${start}
       ) c`,
      ['n', 'count'],
    );
    const pages = Math.ceil(row!.count / limits.campaign.page);
    return new RawJson(`{"campaigns":${row!.json},"totalPage":${pages}}`, row!.n);
  },
});

verb('campaignRead', {
  kind: 'query',
  policy: teamReads,
  description: 'Returns a campaign with its results. Same shape as in the email REST API.',
  args: (arg) => ({ id: arg.string({ required: true, description: 'Campaign id.' }) }),
  run: (ctx, { id }) => campaignJson(ctx, id),
});

/** @throws NOT_FOUND */
export async function campaignJson(ctx: Ctx, id: string): Promise<RawJson> {
  await refuseOther(ctx, id);
  const row = await jsonRow(
    ctx.db,
    sql`select json_build_object(${WHOLE})::text as json from svc_campaign c
     left join svc_contact_book b on b.workspace_id = c.workspace_id and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.public_id = ${id}`,
  );
  if (!row) throw errors.notFound('Campaign');
  return new RawJson(row.json, 1);
}
