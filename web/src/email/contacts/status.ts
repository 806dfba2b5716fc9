import type { StatusTone } from '../../ui/status-badge.tsx';
import type { ContactStatus } from './address.ts';

export const CONTACT_TONES: Record<ContactStatus, StatusTone> = {
  SUBSCRIBED: 'good',
  PENDING: 'waiting',
  UNSUBSCRIBED: 'plain',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
};
