import { type PreviewView, parsePreviewView } from '../templates/address.ts';
import type { CampaignStatus } from './generated.ts';

type SearchParams = Record<string, unknown>;

/** In the order of a campaign's life. */
export const CAMPAIGN_STATUSES: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'];

/** What the list of campaigns shows, as it stands behind `?`. */
export interface CampaignsView {
  status?: CampaignStatus;
  /** Part of a name. */
  q?: string;
}

const parseText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

/** Pure. */
export const parseCampaignsView = ({ status, q }: SearchParams): CampaignsView => ({
  status: CAMPAIGN_STATUSES.find((each) => each === status),
  q: parseText(q),
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
export const parseCampaignView = (given: SearchParams): CampaignView => ({
  ...parsePreviewView(given),
  tab: CAMPAIGN_TABS.find((tab) => tab === given.tab),
  contact: parseText(given.contact),
});
