import { type PreviewView, parsePreviewView } from '../templates/address.ts';
import type { CampaignStatus } from './generated.ts';
import { RECIPIENT_STATES, type RecipientState } from './recipient-states.ts';

type SearchParams = Record<string, unknown>;

/** In lifecycle order. */
export const CAMPAIGN_STATUSES: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'];

export interface CampaignsView {
  status?: CampaignStatus;
  q?: string;
}

const parseText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

export const parseCampaignsView = ({ status, q }: SearchParams): CampaignsView => ({
  status: CAMPAIGN_STATUSES.find((campaignStatus) => campaignStatus === status),
  q: parseText(q),
});

export const CAMPAIGN_TABS = ['edit', 'preview', 'results'] as const;
type CampaignTab = (typeof CAMPAIGN_TABS)[number];

export interface CampaignView extends PreviewView {
  tab?: CampaignTab;
  /** Address of the contact for whom the campaign is previewed. */
  contact?: string;
  /** Recipients to list, by state, and the page number, starting with 1. */
  state?: RecipientState;
  page?: number;
}

export const parseCampaignView = (params: SearchParams): CampaignView => ({
  ...parsePreviewView(params),
  tab: CAMPAIGN_TABS.find((tab) => tab === params.tab),
  contact: parseText(params.contact),
  state: RECIPIENT_STATES.find((state) => state === params.state),
  page: Number.isInteger(params.page) && Number(params.page) > 1 ? Number(params.page) : undefined,
});
