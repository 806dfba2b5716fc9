import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { escapeLikePattern } from '../../../src/engine/value/like-pattern.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { countResources, readResourceById, readResourceList } from '../../settings/read-resource.ts';
import type { PrismaWhere } from '../../settings/where.ts';
import { parsePageNumber } from '../kit/json-list.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { buildJsonParts } from '../kit/shape.ts';
import { isFromBoundDomain, rejectOtherDomainCampaign } from './campaign-sender.ts';
import {
  CAMPAIGN_SUMMARY_FIELDS,
  Campaign,
  CampaignStatuses,
  campaignResource,
  campaignShape,
} from './campaign-shape.ts';

const MAX_CAMPAIGNS_PER_PAGE = 30;

/** Only operations change campaigns, because the allowed changes depend on the status. */
defineModel('svc.campaign', {
  group: 'data',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'Campaign', one: 'campaign', many: 'campaigns', key: 'public_id', prisma: true },
});

export type CampaignStatus = 'DRAFT' | 'SCHEDULED' | 'RUNNING' | 'PAUSED' | 'SENT';

const CAMPAIGN_SUMMARY = buildJsonParts(campaignShape, 'c', CAMPAIGN_SUMMARY_FIELDS);
const CAMPAIGN_JSON = buildJsonParts(campaignShape, 'c');

interface CampaignPageQuery {
  page?: number | null;
  status?: unknown;
  search?: string | null;
}

const CampaignPage = builder.objectRef<CampaignPageQuery>('CampaignPage').implement({
  description: 'A page of campaigns.',
  fields: (t) => ({
    campaigns: t.field({
      type: [Campaign],
      description: 'Campaigns on this page, newest first.',
      resolve: (campaign, _args, ctx, info) => {
        const listed = {
          where: buildCampaignWhere(campaign),
          take: MAX_CAMPAIGNS_PER_PAGE,
          skip: (parsePageNumber(campaign.page) - 1) * MAX_CAMPAIGNS_PER_PAGE,
        };
        return readResourceList(ctx, campaignResource, info, listed) as never;
      },
    }),
    totalPage: t.int({
      description: 'Number of pages.',
      resolve: async (campaign, _args, ctx) =>
        Math.ceil(
          (await countResources(ctx, campaignResource, buildCampaignWhere(campaign))) /
            MAX_CAMPAIGNS_PER_PAGE,
        ),
    }),
  }),
});

function buildCampaignWhere({ status, search }: CampaignPageQuery): PrismaWhere {
  const part = search && { contains: escapeLikePattern(search), mode: 'insensitive' };
  return { ...(status ? { status } : {}), ...(part && { OR: [{ name: part }, { subject: part }] }) };
}

export const campaignList = defineOperation('campaignList', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `campaigns`.',
  policy: TEAM_READ_POLICY,
  description:
    `Returns a page of ${MAX_CAMPAIGNS_PER_PAGE} campaigns with the number of pages, as the email REST API does. ` +
    'In GraphQL, use `campaigns`.',
  args: (arg) => ({
    page: arg.int({ defaultValue: 1, description: 'Page number, starting at 1.' }),
    status: arg({ type: CampaignStatuses.ref, description: 'Only campaigns with this status.' }),
    search: arg.string({
      description: 'Only campaigns whose name or subject contains this text, ignoring case.',
    }),
  }),
  type: CampaignPage,
  async run(ctx, { page, status, search }) {
    const part = sql.param(search?.toLowerCase());
    const condition = sql`(strpos(lower(c.name), ${part}) > 0 or strpos(lower(c.subject), ${part}) > 0)`;
    const where = sql`c.workspace_id = ${ctx.workspace.id} and ${status ? sql`c.status = ${status}` : sql`true`}
      and ${search ? condition : sql`true`} and ${isFromBoundDomain(ctx)}`;
    const start = (parsePageNumber(page) - 1) * MAX_CAMPAIGNS_PER_PAGE;
    const row = await readJsonRow<{ json: string; n: number; count: number }>(
      ctx.db,
      sql`select coalesce(json_agg(json_build_object(${CAMPAIGN_SUMMARY}) order by c.id desc), '[]')::text as json,
         count(*)::int as n, (select count(*)::int from svc_campaign c where ${where}) as count
       from (
         select * from svc_campaign c where ${where} order by c.id desc limit ${MAX_CAMPAIGNS_PER_PAGE} offset ${start}
       ) c`,
      ['n', 'count'],
    );
    const pages = Math.ceil(row!.count / MAX_CAMPAIGNS_PER_PAGE);
    return new RawJson(`{"campaigns":${row!.json},"totalPage":${pages}}`, row!.n);
  },
  read: (_ctx, campaign) => campaign,
});

export const campaignRead = defineOperation('campaignRead', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `campaign`.',
  policy: TEAM_READ_POLICY,
  description: 'Returns a campaign with its results, as the email REST API does. In GraphQL, use `campaign`.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Campaign id.' }) }),
  type: Campaign,
  nullable: true,
  run: (ctx, { id }) => loadCampaignJson(ctx, String(id)),
  read: (ctx, { id }, info) => readResourceById(ctx, campaignResource, id, info),
});

export async function loadCampaignJson(ctx: Ctx, id: string): Promise<RawJson> {
  await rejectOtherDomainCampaign(ctx, id);
  const row = await readJsonRow(
    ctx.db,
    sql`select json_build_object(${CAMPAIGN_JSON})::text as json from svc_campaign c
     left join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.public_id = ${id}`,
  );
  if (!row) throw errors.notFound('Campaign');
  return new RawJson(row.json, 1);
}
