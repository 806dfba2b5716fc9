import { parseChoice, parseText, type SearchParams } from '../../ui/input/search-params.ts';
import { type PreviewView, parsePreviewView } from '../templates/address.ts';
import type { CampaignStatus } from './generated.ts';
import { RECIPIENT_STATES, type RecipientState } from './recipient-states.ts';

/** In lifecycle order. */
export const CAMPAIGN_STATUSES: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'];

export interface CampaignsView {
  status?: CampaignStatus;
  q?: string;
}

export const parseCampaignsView = ({ status, q }: SearchParams): CampaignsView => ({
  status: parseChoice(CAMPAIGN_STATUSES, status),
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
  tab: parseChoice(CAMPAIGN_TABS, params.tab),
  contact: parseText(params.contact),
  state: parseChoice(RECIPIENT_STATES, params.state),
  page: Number.isInteger(params.page) && Number(params.page) > 1 ? Number(params.page) : undefined,
});
