import { createChoiceParser, createViewParser, parseText } from '../../ui/input/search-params.ts';
import { PREVIEW_PARSERS } from '../templates/address.ts';
import type { CampaignStatus } from './generated.ts';
import { RECIPIENT_STATES } from './recipient-states.ts';

/** In lifecycle order. */
export const CAMPAIGN_STATUSES: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'];

export const parseCampaignsView = createViewParser({
  status: createChoiceParser(CAMPAIGN_STATUSES),
  q: parseText,
});

export type CampaignsView = ReturnType<typeof parseCampaignsView>;

export const CAMPAIGN_TABS = ['edit', 'preview', 'results'] as const;

export const parseCampaignView = createViewParser({
  ...PREVIEW_PARSERS,
  tab: createChoiceParser(CAMPAIGN_TABS),
  /** Address of the contact for whom the campaign is previewed. */
  contact: parseText,
  /** Recipients to list, by state, and the page number, starting with 1. */
  state: createChoiceParser(RECIPIENT_STATES),
  page: (value) => (Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined),
});

export type CampaignView = ReturnType<typeof parseCampaignView>;
