import type { CampaignChanges, CampaignFactsFragment } from './generated.ts';

/** A campaign as it is being written: each field as its input has it. */
export interface CampaignDraft {
  name: string;
  from: string;
  replyTo: string;
  contactBookId: string;
  subject: string;
  previewText: string;
  html: string;
  /** Document of the block editor, which the HTML is made of; empty where the HTML is written itself. */
  content: string;
  batchSize: string;
  batchWindowMinutes: string;
}

/** Pure. */
export const toDraft = (campaign: CampaignFactsFragment): CampaignDraft => ({
  name: campaign.name,
  from: campaign.from,
  replyTo: campaign.replyTo.join(', '),
  contactBookId: campaign.book?.id ?? '',
  subject: campaign.subject,
  previewText: campaign.previewText ?? '',
  html: campaign.html ?? '',
  content: campaign.content ?? '',
  batchSize: String(campaign.batchSize),
  batchWindowMinutes: String(campaign.batchWindowMinutes),
});

/** What of a campaign a draft changes. Pure. */
export function computeChanges(draft: CampaignDraft, campaign: CampaignFactsFragment): CampaignChanges {
  const before = toDraft(campaign);
  const differs = (field: keyof CampaignDraft) => draft[field] !== before[field];
  const changed = (Object.keys(before) as (keyof CampaignDraft)[]).filter(
    (field) => differs(field) && field !== 'html' && field !== 'content',
  );
  // Of both, one is given: blocks, of which the server makes the HTML, or HTML, which takes their place.
  if (differs('content') || (!draft.content && differs('html')))
    changed.push(draft.content ? 'content' : 'html');
  return Object.fromEntries(changed.map((field) => [field, toInputValue(field, draft[field])]));
}

function toInputValue(field: keyof CampaignDraft, typed: string): unknown {
  switch (field) {
    case 'replyTo':
      return typed.split(',').flatMap((each) => each.trim() || []);
    case 'batchSize':
    case 'batchWindowMinutes':
      return Number(typed);
    case 'previewText':
      return typed || null;
    default:
      return typed;
  }
}

/** Whether there is something to save. Pure. */
export const hasChanges = (changes: CampaignChanges): boolean => Object.keys(changes).length > 0;

/** Whether its words may still change; one that was paused on the way is refused by the server. Pure. */
export const isEditable = ({ status, sent }: Pick<CampaignFactsFragment, 'status' | 'sent'>): boolean =>
  status === 'DRAFT' || status === 'SCHEDULED' || (status === 'PAUSED' && sent === 0);

/** HTML with the link by which readers leave, which each campaign must have. Pure. */
export const addUnsubscribeLink = (html: string, leave: string): string =>
  html.includes('unsubscribe_url') ? html : html + leave;

/** An instant as an input of the type `datetime-local` has it. Pure. */
export const toLocalInput = (iso: string): string => {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
