import {
  createChoiceParser,
  createViewParser,
  parseDay,
  parseText,
} from '../../../ui/input/search-params.ts';
import type { AuditEventsQueryVariables } from './generated.ts';

export const AUDIT_RESULTS = ['done', 'refused'] as const;

export const AUDIT_GROUPINGS = ['event', 'user', 'channel', 'day'] as const;
export type AuditGrouping = (typeof AUDIT_GROUPINGS)[number];

export const parseAuditView = createViewParser({
  /** First and last day in UTC, such as `2026-11-23`. */
  from: parseDay,
  to: parseDay,
  user: parseText,
  /** Name of an event, such as `user.invite`. */
  event: parseText,
  model: parseText,
  /** Part of the arguments, such as a record's id or an address. */
  q: parseText,
  channel: parseText,
  result: createChoiceParser(AUDIT_RESULTS),
  request: parseText,
  by: createChoiceParser(AUDIT_GROUPINGS),
  id: parseText,
});

export type AuditView = ReturnType<typeof parseAuditView>;

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

const { by: _by, id: _id, ...noFilters } = parseAuditView({});

/** Clears all filters. The grouping and the open event remain. */
export const NO_AUDIT_FILTERS: AuditView = noFilters;

type AuditFilter = NonNullable<AuditEventsQueryVariables['where']>;
