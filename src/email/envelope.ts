import { parseAddress } from '../message/address.ts';
import type { RefusedResult, TransportMessage } from './transport.ts';

export interface Envelope {
  from: string;
  recipients: string[];
}

/**
 * Returns the envelope in 7-bit form, with A-label domains and without case-insensitive duplicates, or a rejection that
 * names the invalid address.
 */
export function buildEnvelope(
  message: Pick<TransportMessage, 'from' | 'recipients'>,
): Envelope | RefusedResult {
  const from = parseBareAddress(message.from);
  if (!from) return createAddressRefusal(`sender ${quoteText(message.from)} is not a plain 7-bit address`);
  const recipients = new Map<string, string>();
  for (const text of message.recipients) {
    const address = parseBareAddress(text);
    if (!address) return createAddressRefusal(`recipient ${quoteText(text)} is not a plain 7-bit address`);
    const key = address.toLowerCase();
    if (!recipients.has(key)) recipients.set(key, address);
  }
  if (recipients.size === 0)
    return { kind: 'refused', code: 'NO_RECIPIENTS', reason: 'the message has no recipients' };
  return { from, recipients: [...recipients.values()] };
}

function parseBareAddress(text: string): string | null {
  const parsedMailbox = parseAddress(text);
  return parsedMailbox && parsedMailbox.name === undefined ? parsedMailbox.address : null;
}

function createAddressRefusal(reason: string): RefusedResult {
  return { kind: 'refused', code: 'INVALID_ADDRESS', reason };
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
