import { type PreviewView, previewView } from '../templates/address.ts';
import type { CampaignStatus } from './generated.ts';

type Given = Record<string, unknown>;

/** In the order of a campaign's life. */
export const CAMPAIGN_STATUSES: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'];

/** What the list of campaigns shows, as it stands behind `?`. */
export interface CampaignsView {
  status?: CampaignStatus;
  /** Part of a name. */
  q?: string;
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

/** Pure. */
export const campaignsView = ({ status, q }: Given): CampaignsView => ({
  status: CAMPAIGN_STATUSES.find((each) => each === status),
  q: text(q),
});

export const CAMPAIGN_TABS = ['edit', 'preview', 'results'] as const;
export type CampaignTab = (typeof CAMPAIGN_TABS)[number];

/** How one campaign is shown. */
export interface CampaignView extends PreviewView {
  tab?: CampaignTab;
  /** Address of the contact that the preview is for. */
  contact?: string;
}

/** Pure. */
export const campaignView = (given: Given): CampaignView => ({
  ...previewView(given),
  tab: CAMPAIGN_TABS.find((tab) => tab === given.tab),
  contact: text(given.contact),
});
