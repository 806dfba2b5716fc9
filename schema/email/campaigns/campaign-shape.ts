import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineEnumShape } from '../../../src/engine/operation/shape.ts';
import { escapeLikePattern } from '../../../src/engine/value/like-pattern.ts';
import { getSettingsLoader } from '../../settings/read-resource.ts';
import { buildAuthorshipFields } from '../../settings/record-relation.ts';
import { addResourceRoots, buildRelatedList } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import type { PrismaWhere } from '../../settings/where.ts';
import { bookResource, ContactBook } from '../contacts/book-shape.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { buildGraphFields, defineComponent, type Shape } from '../kit/shape.ts';
import { CampaignInputShape } from './campaign-input.ts';

export const CampaignStatuses = defineEnumShape(
  'CampaignStatus',
  'Status of a campaign.',
  {
    DRAFT: 'Neither sent nor scheduled.',
    SCHEDULED: 'Will be sent at its time.',
    RUNNING: 'Its emails are being created.',
    PAUSED: 'On hold, together with its queued emails, until it is resumed.',
    SENT: 'An email has been created for every contact; some may still be queued.',
  },
  { field: 'svc.campaign.status' },
);

const input = CampaignInputShape.parts;

const summaryShape: Shape = {
  id: { type: 'ID', column: 'public_id', description: 'Unique identifier of the campaign.' },
  name: { type: 'String', description: input.name.description },
  from: { type: 'String', description: 'Sender, as `Name <address>` or a bare address.' },
  subject: { type: 'String', description: input.subject.description },
  createdAt: { type: 'DateTime', column: 'create_date', description: 'When the campaign was created.' },
  updatedAt: { type: 'DateTime', column: 'write_date', description: 'When the campaign was last changed.' },
  status: {
    type: CampaignStatuses,
    description: 'SENT once an email has been created for every contact; some may still be queued.',
  },
  scheduledAt: { type: 'DateTime', nullable: true, description: 'When sending starts; null for a draft.' },
  total: { type: 'Int', description: 'Number of subscribed contacts when the campaign was scheduled.' },
  sent: { type: 'Int', description: 'Emails accepted by the provider.' },
  delivered: { type: 'Int', description: "Emails accepted by the recipient's mail server." },
  unsubscribed: { type: 'Int', description: 'Contacts that unsubscribed through a link in this campaign.' },
};

/** Facades join the contact book as `b`. */
export const campaignShape: Shape = {
  ...summaryShape,
  version: {
    type: 'Int',
    column: 'row_version',
    only: 'graphql',
    description: 'Increases whenever the content or the batch settings change. Pass it as `expectedVersion`.',
  },
  previewText: { type: 'String', nullable: true, description: input.previewText.description },
  contactBookId: {
    type: 'ID',
    nullable: true,
    only: 'protocols',
    rowSql: () => sql`b.public_id`,
    description: 'Contact book it is sent to; null if the book was deleted.',
  },
  html: { type: 'String', nullable: true, description: 'HTML body, with variables.' },
  content: {
    type: 'String',
    nullable: true,
    description: 'Block editor document (JSON), if the campaign was created from one.',
  },
  batchSize: { type: 'Int', description: 'Number of contacts processed in one step.' },
  batchWindowMinutes: { type: 'Int', description: 'Minutes between two steps.' },
  opened: { type: 'Int', description: 'Emails opened at least once. Requires open tracking.' },
  clicked: {
    type: 'Int',
    description:
      'Emails with at least one clicked link, not counting unsubscribe links. Requires click tracking.',
  },
  bounced: { type: 'Int', description: 'Emails that bounced, permanently or temporarily.' },
  hardBounced: { type: 'Int', description: 'Emails that bounced permanently.' },
  complained: { type: 'Int', description: 'Emails reported as spam.' },
  replyTo: { type: ['String'], description: input.replyTo.description },
  cc: { type: ['String'], description: input.cc.description },
  bcc: { type: ['String'], description: input.bcc.description },
  teamId: {
    type: 'Int',
    column: 'workspace_id',
    only: 'protocols',
    description: 'Identifier of the Team that owns the campaign.',
  },
  reason: {
    type: 'String',
    nullable: true,
    description:
      'Reason why the server paused the campaign; null if a person paused it, or if it is not paused.',
  },
};

export const CAMPAIGN_SUMMARY_FIELDS = Object.keys(summaryShape);

const CAMPAIGN_DESCRIPTION = 'An email to every subscribed contact of a book, and its results.';

defineComponent('Campaign', CAMPAIGN_DESCRIPTION, campaignShape);
defineComponent('CampaignItem', 'Summary of a campaign.', summaryShape);

export const Campaign = builder.prismaObject('SvcCampaign', {
  name: 'Campaign',
  description: CAMPAIGN_DESCRIPTION,
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, campaignShape),
    ...buildAuthorshipFields(t, 'svc.campaign'),
    book: t.field({
      type: ContactBook,
      nullable: true,
      description:
        'Contact book that the campaign is sent to. Null if the book was deleted or you cannot read it.',
      select: { book_id: true },
      resolve: ({ book_id }, _args, ctx, info) =>
        (book_id === null ? null : getSettingsLoader(ctx, bookResource, info).load(book_id)) as never,
    }),
  }),
});

export const campaignResource = createResource('svc.campaign', {
  type: 'Campaign',
  key: 'public_id',
  policy: TEAM_READ_POLICY,
  bound: buildDomainWhere,
});

/** Filters campaigns by sender domain, as `isFromBoundDomain` in campaign-sender.ts does in SQL. */
async function buildDomainWhere(ctx: Ctx, id: number): Promise<PrismaWhere> {
  const [domain] = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!domain) return { id: { in: [] } };
  const ends = (text: string) => ({ from: { endsWith: escapeLikePattern(text), mode: 'insensitive' } });
  return { OR: [ends(`@${domain.name}`), ends(`@${domain.name}>`)] };
}

builder.prismaObjectField(ContactBook, 'campaigns', (t) =>
  buildRelatedList(
    t,
    { owner: bookResource, relation: 'campaign_ids' },
    campaignResource,
    Campaign,
    'Campaigns to this book, newest first.',
  ),
);

addResourceRoots(campaignResource, Campaign, { many: 'campaigns', one: 'campaign' });
