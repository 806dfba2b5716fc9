import type { StatusTone } from '../../ui/status-badge.tsx';
import type { CampaignStatus } from './generated.ts';

export const CAMPAIGN_TONES: Record<CampaignStatus, StatusTone> = {
  DRAFT: 'plain',
  SCHEDULED: 'waiting',
  RUNNING: 'waiting',
  PAUSED: 'bad',
  SENT: 'good',
};
