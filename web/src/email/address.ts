import {
  createChoiceParser,
  createViewParser,
  parseDay,
  parseId,
  parseText,
} from '../ui/input/search-params.ts';
import type { EmailStatus, EmailsQueryVariables } from './generated.ts';

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
const createTypedChoiceParser =
  <Name extends string>(names: readonly Name[]) =>
  (value: unknown): Name | undefined =>
    names.find((name) => name.toLowerCase() === String(value).toLowerCase());

/** Parses a tag such as `name=value`, or returns undefined. In a name, `\=` means `=` and `\\` means a backslash. */
export function parseTag(text: string | undefined): Record<string, string> | undefined {
  const [, name, value] = /^((?:\\[=\\]|[^=])+?)=(.*)$/s.exec(text ?? '') ?? [];
  return name === undefined ? undefined : { [name.trim().replace(/\\([=\\])/g, '$1')]: value!.trim() };
}

export const formatTag = (name: string, value: string): string =>
  `${name.replace(/[=\\]/g, '\\$&')}=${value}`;

export const parseEmailsView = createViewParser({
  status: createTypedChoiceParser(EMAIL_STATUSES),
  domain: parseText,
  /** Id of the API key that sent the email. */
  key: parseText,
  /** A tag with its value, such as `order=7`. */
  tag: (value) => (parseTag(parseText(value)) ? parseText(value) : undefined),
  /** Part of a subject, or a complete recipient address. */
  q: parseText,
  /** First and last day in UTC, such as `2026-11-23`. */
  from: parseDay,
  to: parseDay,
  id: parseText,
  tab: createTypedChoiceParser(EMAIL_TABS),
});

export type EmailsView = ReturnType<typeof parseEmailsView>;

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

export const BREAKDOWNS = ['HOUR', 'KEY', 'CAMPAIGN', 'TEMPLATE', 'SENDER', 'TAG'] as const;

/** Lengths of the periods in days. 0 stands for today, shown by hour. */
export const OVERVIEW_DAYS = [0, 7, 30, 90, 365];

export const parseOverviewView = createViewParser({
  days: (value) => OVERVIEW_DAYS.find((days) => days === Number(value)),
  domain: parseId,
  by: createChoiceParser(BREAKDOWNS),
  /** Name of the tag. Only with `by=TAG`. */
  tag: parseText,
});
