import { createChoiceParser, createViewParser } from '../../ui/input/search-params.ts';
import type { WebhookCallStatus } from './generated.ts';

export const CALL_STATUSES: WebhookCallStatus[] = [
  'PENDING',
  'IN_PROGRESS',
  'DELIVERED',
  'FAILED',
  'DISCARDED',
];

export const parseCallsView = createViewParser({ status: createChoiceParser(CALL_STATUSES) });
