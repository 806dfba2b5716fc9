import { Readable } from 'node:stream';
import type { ParsedMail } from '../../../src/message/parse/message.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import type { MailOrigin } from '../intake/origin.ts';
import type { ClaimedDelivery } from './claim.ts';

const SPAM_FILTER_TIMEOUT_MS = 2_000;
const SPAM_ACTIONS = new Set(['reject', 'add header', 'rewrite subject', 'quarantine']);

/**
 * Queries a spam filter that uses rspamd's protocol. Never throws.
 * @param url URL of the filter; null if none is configured
 * @returns null if unknown
 */
export async function checkSpamFilter(
  url: string | null,
  raw: RawMail,
  { sender, recipients }: ClaimedDelivery,
  { ip, helo }: MailOrigin,
): Promise<boolean | null> {
  if (!url) return null;
  try {
    const response = await fetch(`${url}/checkv2`, {
      method: 'POST',
      headers: {
        ...(ip && { IP: ip }),
        ...(helo && { Helo: toHeaderText(helo) }),
        From: toHeaderText(sender),
        Rcpt: toHeaderText(recipients[0] ?? ''),
      },
      body: Readable.toWeb(Readable.from(raw.read(0, raw.size))) as ReadableStream,
      duplex: 'half',
      redirect: 'error',
      signal: AbortSignal.timeout(SPAM_FILTER_TIMEOUT_MS),
    } as RequestInit);
    const { action } = (await response.json()) as { action?: unknown };
    return response.ok && typeof action === 'string' ? SPAM_ACTIONS.has(action) : null;
  } catch {
    return null;
  }
}

const toHeaderText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** True if a relay has marked the message as spam in the format of SpamAssassin or rspamd. */
export const isMarkedAsSpam = ({ headers }: ParsedMail): boolean =>
  headers.some(({ name, value }) => SPAM_HEADER.test(name) && /^yes\b/i.test(value.trim()));

const SPAM_HEADER = /^x-spam(?:-flag|-status)?$/;
