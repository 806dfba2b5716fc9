import { GraphQLString } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { createPublicId } from '../kit/public-id.ts';
import { parseCampaignName } from './campaign-input.ts';
import { rejectOtherDomainCampaign } from './campaign-sender.ts';
import { Campaign, campaignResource } from './campaign-shape.ts';

export const campaignDuplicate = defineOperation('campaignDuplicate', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    "Copies a campaign's content, sender, book and batch settings to a new draft, and returns the draft.",
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    name: arg.string({ description: 'Name of the copy. Derived from the original by default.' }),
  }),
  type: Campaign,
  returns: GraphQLString,
  run: (ctx, { id, name }) => duplicateCampaign(ctx, String(id), name ? parseCampaignName(name) : null),
  answer: (ctx, copy, _args, info) => returnResource(ctx, campaignResource, copy, info),
});

const COPIED_COLUMNS = sql.join(
  [
    'from',
    'subject',
    'preview_text',
    'html',
    'content',
    'reply_to',
    'cc',
    'bcc',
    'batch_size',
    'batch_window_minutes',
    'book_id',
  ].map((name) => sql.id(name)),
);

const COPY_SUFFIX = ' (copy)';

async function duplicateCampaign(ctx: Ctx, id: string, name: string | null): Promise<string> {
  await rejectOtherDomainCampaign(ctx, id);
  const copy = createPublicId();
  const user = ctx.principal?.userId ?? null;
  const copyId = await allocateId(ctx, 'svc_campaign');
  const copiedRows = await ctx.db.rows(
    sql`insert into svc_campaign (workspace_id, id, public_id, name, create_uid, write_uid, ${COPIED_COLUMNS})
     select workspace_id, ${copyId}, ${copy},
       coalesce(${name}, left(name, ${sql.literal(limits.contact.name - COPY_SUFFIX.length)}) || ${COPY_SUFFIX}),
       ${user}::int, ${user}::int, ${COPIED_COLUMNS}
     from svc_campaign where workspace_id = ${ctx.workspace.id} and public_id = ${id}
     returning id`,
  );
  if (copiedRows.length === 0) throw errors.notFound('Campaign');
  return copy;
}
