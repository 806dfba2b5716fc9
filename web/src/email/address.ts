import { parseChoice, parseDay, parseId, parseText, type SearchParams } from '../ui/input/search-params.ts';
import type { EmailStatus, EmailsQueryVariables } from './generated.ts';

export interface EmailsView {
  status?: EmailStatus;
  domain?: string;
  /** Id of the API key that sent the email. */
  key?: string;
  /** A tag with its value, such as `order=7`. */
  tag?: string;
  /** Part of a subject, or a complete recipient address. */
  q?: string;
  /** First and last day in UTC, such as `2026-11-23`. */
  from?: string;
  to?: string;
  id?: string;
  tab?: EmailTab;
}

export const EMAIL_TABS = ['html', 'text', 'source', 'events', 'webhooks', 'json'] as const;
export type EmailTab = (typeof EMAIL_TABS)[number];

/** In lifecycle order. */
export const EMAIL_STATUSES: EmailStatus[] = [
  'SCHEDULED',
  'QUEUED',
  'SENT',
  'DELIVERY_DELAYED',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'REJECTED',
  'RENDERING_FAILURE',
  'FAILED',
  'CANCELLED',
  'SUPPRESSED',
];

/** Ignores case, so that manually typed URLs work. */
const parseTypedChoice = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name.toLowerCase() === String(value).toLowerCase());

/** Parses a tag such as `name=value`, or returns undefined. In a name, `\=` means `=` and `\\` means a backslash. */
export function parseTag(text: string | undefined): Record<string, string> | undefined {
  const [, name, value] = /^((?:\\[=\\]|[^=])+?)=(.*)$/s.exec(text ?? '') ?? [];
  return name === undefined ? undefined : { [name.trim().replace(/\\([=\\])/g, '$1')]: value!.trim() };
}

export const formatTag = (name: string, value: string): string =>
  `${name.replace(/[=\\]/g, '\\$&')}=${value}`;

export const parseEmailsView = (params: SearchParams): EmailsView => ({
  status: parseTypedChoice(EMAIL_STATUSES, params.status),
  domain: parseText(params.domain),
  key: parseText(params.key),
  tag: parseTag(parseText(params.tag)) && parseText(params.tag),
  q: parseText(params.q),
  from: parseDay(params.from),
  to: parseDay(params.to),
  id: parseText(params.id),
  tab: parseTypedChoice(EMAIL_TABS, params.tab),
});

const DAY_MS = 86_400_000;

export function toEmailsVariables({ status, domain, key, tag, q, from, to }: EmailsView): Filters {
  const isEmailAddress = q !== undefined && /^\S+@\S+$/.test(q);
  return {
    status: status && [status],
    domain,
    key,
    tags: parseTag(tag),
    subject: isEmailAddress ? undefined : q,
    to: isEmailAddress ? q : undefined,
    from: from && new Date(from).toISOString(),
    until: to && new Date(Date.parse(to) + DAY_MS).toISOString(),
  };
}

type Filters = Omit<EmailsQueryVariables, 'first' | 'offset'>;

interface OverviewView {
  days?: number;
  domain?: string;
  by?: (typeof BREAKDOWNS)[number];
  /** Name of the tag. Only with `by=TAG`. */
  tag?: string;
}

export const BREAKDOWNS = ['HOUR', 'KEY', 'CAMPAIGN', 'TEMPLATE', 'SENDER', 'TAG'] as const;

/** Lengths of the periods in days. 0 stands for today, shown by hour. */
export const OVERVIEW_DAYS = [0, 7, 30, 90, 365];

export const parseOverviewView = (params: SearchParams): OverviewView => ({
  days: OVERVIEW_DAYS.find((days) => days === Number(params.days)),
  domain: parseId(params.domain),
  by: parseChoice(BREAKDOWNS, params.by),
  tag: parseText(params.tag),
});
