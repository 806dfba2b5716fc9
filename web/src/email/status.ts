import type { StatusTone } from '../ui/status-badge.tsx';
import type { EmailStatus } from './generated.ts';

export const EMAIL_TONES: Record<EmailStatus, StatusTone> = {
  SCHEDULED: 'waiting',
  QUEUED: 'waiting',
  SENT: 'waiting',
  DELIVERY_DELAYED: 'waiting',
  DELIVERED: 'good',
  OPENED: 'good',
  CLICKED: 'good',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  REJECTED: 'bad',
  RENDERING_FAILURE: 'bad',
  FAILED: 'bad',
  CANCELLED: 'plain',
  SUPPRESSED: 'plain',
};
