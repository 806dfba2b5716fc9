import type { StatusTone } from '../../ui/status-badge.tsx';
import type { WebhookCallStatus, WebhookStatus } from './generated.ts';

export const WEBHOOK_TONES: Record<WebhookStatus, StatusTone> = {
  ACTIVE: 'good',
  PAUSED: 'plain',
  AUTO_DISABLED: 'bad',
};

export const CALL_TONES: Record<WebhookCallStatus, StatusTone> = {
  PENDING: 'waiting',
  IN_PROGRESS: 'waiting',
  DELIVERED: 'good',
  FAILED: 'bad',
  DISCARDED: 'plain',
};
