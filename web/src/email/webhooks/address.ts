import type { WebhookCallStatus } from './generated.ts';

interface CallsView {
  status?: WebhookCallStatus;
}

export const CALL_STATUSES: WebhookCallStatus[] = [
  'PENDING',
  'IN_PROGRESS',
  'DELIVERED',
  'FAILED',
  'DISCARDED',
];

export const parseCallsView = ({ status }: Record<string, unknown>): CallsView => ({
  status: CALL_STATUSES.find((callStatus) => callStatus === status),
});
