import type { WebhookCallStatus } from './generated.ts';

/** What the page of a webhook shows of its calls, as it stands behind `?`. */
export interface CallsView {
  status?: WebhookCallStatus;
}

export const CALL_STATUSES: WebhookCallStatus[] = [
  'PENDING',
  'IN_PROGRESS',
  'DELIVERED',
  'FAILED',
  'DISCARDED',
];

/** Pure. */
export const parseCallsView = ({ status }: Record<string, unknown>): CallsView => ({
  status: CALL_STATUSES.find((each) => each === status),
});
