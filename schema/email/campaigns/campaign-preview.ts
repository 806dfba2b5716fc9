import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineEnumShape, defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { describeUnreachableLinks } from '../../../src/net/public-links.ts';
import { processText } from '../../../src/text/process-text.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { isInForce } from '../suppressions/is-suppressed.ts';
import { type CampaignChanges, CampaignChangesShape } from './campaign-input.ts';
import { findUnknownVariables } from './check-variables.ts';
import { renderCampaign } from './render-campaign.ts';

const MAX_COUNTED_CONTACTS = 100_000;

const Recipients = defineTypedShape('CampaignRecipients', 'Contacts that a campaign would be sent to now.', {
  subscribed: { type: 'Int', description: 'Number of subscribed contacts in the book.' },
  suppressed: {
    type: 'Int',
    description:
      'Number of these contacts that are on the suppression list and will not receive the campaign.',
  },
  isComplete: {
    type: 'Boolean',
    description: `True if all subscribed contacts were counted. Counting stops at ${MAX_COUNTED_CONTACTS} contacts.`,
  },
});

const ProblemEnum = defineEnumShape('CampaignProblem', 'A reason to change a campaign before it is sent.', {
  UNVERIFIED_DOMAIN:
    "The sender's domain is not verified. The campaign would pause instead of sending emails.",
  UNREACHABLE_LINKS:
    'Recipients cannot reach `PUBLIC_URL`, so they cannot unsubscribe. The campaign cannot be scheduled.',
  EMPTY_SUBJECT:
    'The subject line is empty for contacts without values, because its variables have no fallback.',
});

const CampaignPreviewShape = defineTypedShape(
  'CampaignPreview',
  'A campaign as one contact would receive it.',
  {
    subject: { type: 'String', description: "Subject line with the contact's values." },
    html: {
      type: 'String',
      description: "HTML body with the contact's values. Its unsubscribe link does not unsubscribe anyone.",
    },
    text: { type: 'String', description: 'Plain-text version of the HTML body.' },
    contact: {
      type: 'String',
      nullable: true,
      description:
        'Address of the contact. Null if the book has no subscribed contacts, in which case fallbacks are shown.',
    },
    unknownVariables: {
      type: ['String'],
      description:
        'Variables that the book does not define. A campaign that uses any of them cannot be scheduled.',
    },
    problems: { type: [ProblemEnum], description: 'Reasons to change the campaign before it is sent.' },
    recipients: { type: Recipients, description: 'Number of subscribed and suppressed contacts.' },
  },
);

export const campaignPreview = defineOperation('campaignPreview', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns a campaign as a contact in its book would receive it, checks it for problems and counts recipients. ' +
    'With `campaign`, applies those changes without saving them.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    campaign: arg({
      type: CampaignChangesShape.ref,
      description: 'Unsaved changes to apply to the preview.',
    }),
    contact: arg.string({
      description: 'Address of a contact in the book. Defaults to the first subscribed contact.',
    }),
  }),
  type: CampaignPreviewShape.ref,
  run: (ctx, { id, campaign, contact }) =>
    previewCampaign(ctx, String(id), campaign ?? {}, contact?.trim() || null),
});

async function previewCampaign(ctx: Ctx, id: string, changes: CampaignChanges, address: string | null) {
  const { texts, domain, bookId, variables, contact, message, emptySubject } = await renderCampaign(
    ctx,
    id,
    changes,
    address,
  );
  const written = [texts.subject, texts.preview_text ?? '', texts.html];
  const unknownNames = findUnknownVariables(written, variables).map(({ name }) => name);
  return {
    subject: message.subject,
    html: message.html,
    text: await processText(ctx.workspace.id, 'convertHtmlToText', message.html),
    contact,
    unknownVariables: [...new Set(unknownNames)],
    problems: await findProblems(ctx, domain, emptySubject),
    recipients: await countRecipients(ctx, bookId),
  };
}

async function findProblems(ctx: Ctx, domain: string, emptySubject: string): Promise<string[]> {
  const verifiedRows = await ctx.db.rows(
    sql`select 1 from svc_domain
     where workspace_id = ${ctx.workspace.id} and name = ${domain} and status = 'SUCCESS'`,
  );
  return [
    ...(verifiedRows.length === 0 ? ['UNVERIFIED_DOMAIN'] : []),
    ...(describeUnreachableLinks(ctx.runtime.config) ? ['UNREACHABLE_LINKS'] : []),
    ...(emptySubject.trim() === '' ? ['EMPTY_SUBJECT'] : []),
  ];
}

interface RecipientCounts {
  subscribed: number;
  suppressed: number;
}

async function countRecipients(
  ctx: Ctx,
  bookId: number | null,
): Promise<RecipientCounts & { isComplete: boolean }> {
  const [row] = await ctx.db.rows<RecipientCounts>(
    sql`select count(*)::int as subscribed, count(s.id)::int as suppressed
     from (
       select c.email from svc_contact c
       where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${bookId} and c.subscribed
       order by c.id limit ${MAX_COUNTED_CONTACTS + 1}
     ) c
     left join svc_suppression s on s.workspace_id = ${ctx.workspace.id} and s.email = lower(c.email)
       and ${isInForce()}`,
  );
  const { subscribed, suppressed } = row!;
  const isComplete = subscribed <= MAX_COUNTED_CONTACTS;
  return { subscribed: Math.min(subscribed, MAX_COUNTED_CONTACTS), suppressed, isComplete };
}
