import { parseChoice, parseDay, parseText } from '../../../ui/input/search-params.ts';
import type { AuditEventsQueryVariables } from './generated.ts';

export interface AuditView {
  /** First and last day in UTC, such as `2026-11-23`. */
  from?: string;
  to?: string;
  user?: string;
  /** Name of an event, such as `user.invite`. */
  event?: string;
  model?: string;
  /** Part of the arguments, such as a record's id or an address. */
  q?: string;
  channel?: string;
  result?: AuditResult;
  request?: string;
  by?: AuditGrouping;
  id?: string;
}

export const AUDIT_RESULTS = ['done', 'refused'] as const;
type AuditResult = (typeof AUDIT_RESULTS)[number];

export const AUDIT_GROUPINGS = ['event', 'user', 'channel', 'day'] as const;
export type AuditGrouping = (typeof AUDIT_GROUPINGS)[number];

export const parseAuditView = (params: Record<string, unknown>): AuditView => ({
  from: parseDay(params.from),
  to: parseDay(params.to),
  user: parseText(params.user),
  event: parseText(params.event),
  model: parseText(params.model),
  q: parseText(params.q),
  channel: parseText(params.channel),
  result: parseChoice(AUDIT_RESULTS, params.result),
  request: parseText(params.request),
  by: parseChoice(AUDIT_GROUPINGS, params.by),
  id: parseText(params.id),
});

const DAY_MS = 86_400_000;

export const toAuditFilter = ({
  from,
  to,
  user,
  event,
  model,
  q,
  channel,
  result,
  request,
}: AuditView): AuditFilter => ({
  createdAt: {
    gte: from && new Date(from).toISOString(),
    lt: to && new Date(Date.parse(to) + DAY_MS).toISOString(),
  },
  userId: { eq: user },
  event: {
    eq: event,
    // Record changes are logged as `model.operation`. Exact names exclude other models with the same prefix, such as
    // `res.users.apikeys` for `res.users`.
    in: model ? ['create', 'write', 'unlink'].map((operation) => `${model}.${operation}`) : undefined,
  },
  summary: { contains: q, ignoreCase: true },
  channel: { eq: channel },
  success: { eq: result && result === 'done' },
  requestId: { eq: request },
});

export const NO_AUDIT_FILTERS: AuditView = {
  from: undefined,
  to: undefined,
  user: undefined,
  event: undefined,
  model: undefined,
  q: undefined,
  channel: undefined,
  result: undefined,
  request: undefined,
};

type AuditFilter = NonNullable<AuditEventsQueryVariables['where']>;
