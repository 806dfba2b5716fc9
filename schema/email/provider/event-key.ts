import { createHash } from 'node:crypto';
import { extractAddress } from '../../../src/message/address.ts';
import type { ProviderNotice } from './ses-event.ts';

/**
 * Builds the deduplication key of an SES event. SES publishes each event to every configured topic, both as an event
 * and as a notification, with unrelated SNS ids. The key covers the message, event type, time and recipients, and the
 * link, IP address and user agent of clicks and opens.
 */
export function buildEventKey({ status, providerId, data }: Omit<ProviderNotice, 'event'>): string {
  const identifyingData = UNIQUE_STATUSES.has(status)
    ? null
    : 'timestamp' in data
      ? getIdentifyingValues(data)
      : data;
  const text = JSON.stringify([status, providerId, identifyingData]);
  return `ses:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Events that occur once per message and have no timestamp. */
const UNIQUE_STATUSES: ReadonlySet<string> = new Set(['SENT', 'REJECTED', 'RENDERING_FAILURE']);

function getIdentifyingValues(data: Record<string, unknown>): unknown[] {
  const { timestamp, link, ipAddress, userAgent, bounceType, delayType } = data;
  return [
    normalizeTime(timestamp),
    collectRecipients(data),
    bounceType,
    delayType,
    link,
    ipAddress,
    userAgent,
  ];
}

/** SES writes the UTC offset as `Z` in some formats and as `+0000` in others. */
function normalizeTime(timestamp: unknown): unknown {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? timestamp : time;
}

const RECIPIENT_LISTS = ['recipients', 'bouncedRecipients', 'complainedRecipients', 'delayedRecipients'];

function collectRecipients(data: Record<string, unknown>): unknown[] {
  const recipients = RECIPIENT_LISTS.flatMap((list) => data[list] ?? []).map((item) =>
    typeof item === 'object' ? (item as { emailAddress?: unknown } | null)?.emailAddress : item,
  );
  return recipients
    .map((recipient) => (typeof recipient === 'string' ? extractAddress(recipient) : recipient))
    .sort();
}
