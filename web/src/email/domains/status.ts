import type { StatusTone } from '../../ui/status-badge.tsx';
import type { SendingDomainStatus } from './generated.ts';

export const DOMAIN_TONES: Record<SendingDomainStatus, StatusTone> = {
  NOT_STARTED: 'plain',
  PENDING: 'waiting',
  SUCCESS: 'good',
  FAILED: 'bad',
  TEMPORARY_FAILURE: 'bad',
};

interface DomainStatuses {
  status: SendingDomainStatus;
  dkimStatus: SendingDomainStatus | null;
}

/** Returns true if the domain can send, but its DKIM record is missing or wrong. */
export const isUnsigned = ({ status, dkimStatus }: DomainStatuses): boolean =>
  status === 'SUCCESS' && dkimStatus !== null && dkimStatus !== 'SUCCESS';
