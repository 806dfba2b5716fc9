import type { CampaignChanges, CampaignFactsFragment } from './generated.ts';

export const toDraft = (campaign: CampaignFactsFragment) => ({
  name: campaign.name,
  from: campaign.from,
  replyTo: campaign.replyTo.join(', '),
  contactBookId: campaign.book?.id ?? '',
  subject: campaign.subject,
  previewText: campaign.previewText ?? '',
  html: campaign.html ?? '',
  /** Block editor document that the HTML is rendered from. Empty if the HTML is edited directly. */
  content: campaign.content ?? '',
  batchSize: String(campaign.batchSize),
  batchWindowMinutes: String(campaign.batchWindowMinutes),
});

export type CampaignDraft = ReturnType<typeof toDraft>;

export function computeChanges(draft: CampaignDraft, campaign: CampaignFactsFragment): CampaignChanges {
  const before = toDraft(campaign);
  const isChanged = (field: keyof CampaignDraft) => draft[field] !== before[field];
  const changed = (Object.keys(before) as (keyof CampaignDraft)[]).filter(
    (field) => isChanged(field) && field !== 'html' && field !== 'content',
  );
  // Sends either blocks, which the server renders to HTML, or HTML, which replaces the blocks.
  if (isChanged('content') || (!draft.content && isChanged('html')))
    changed.push(draft.content ? 'content' : 'html');
  return Object.fromEntries(changed.map((field) => [field, toInputValue(field, draft[field])]));
}

function toInputValue(field: keyof CampaignDraft, typed: string): unknown {
  switch (field) {
    case 'replyTo':
      return typed.split(',').flatMap((item) => item.trim() || []);
    case 'batchSize':
    case 'batchWindowMinutes':
      return Number(typed);
    case 'previewText':
      return typed || null;
    default:
      return typed;
  }
}

/** True if the content can be edited. The server rejects edits to a campaign that was paused during sending. */
export const isEditable = ({ status, sent }: Pick<CampaignFactsFragment, 'status' | 'sent'>): boolean =>
  status === 'DRAFT' || status === 'SCHEDULED' || (status === 'PAUSED' && sent === 0);

/** Adds the unsubscribe link that every campaign needs, unless the HTML has one. */
export const addUnsubscribeLink = (html: string, leave: string): string =>
  html.includes('unsubscribe_url') ? html : html + leave;
