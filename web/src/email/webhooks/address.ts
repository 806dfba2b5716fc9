import { parseChoice, type SearchParams } from '../../ui/input/search-params.ts';
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

export const parseCallsView = ({ status }: SearchParams): CallsView => ({
  status: parseChoice(CALL_STATUSES, status),
});
