import type { StatusTone } from '../../ui/status-badge.tsx';
import type { SendingDomainStatus } from './generated.ts';

export const DOMAIN_TONES: Record<SendingDomainStatus, StatusTone> = {
  NOT_STARTED: 'plain',
  PENDING: 'waiting',
  SUCCESS: 'good',
  FAILED: 'bad',
  TEMPORARY_FAILURE: 'bad',
};
