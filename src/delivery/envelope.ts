import { parseAddress } from '../mail/address.ts';
import type { Outgoing, Refused } from './transport.ts';

export interface Envelope {
  from: string;
  recipients: string[];
}

/**
 * The envelope in 7-bit form (domains as A-labels, duplicates dropped, whatever their case), or the refusal that names
 * what is wrong.
 */
export function envelope(message: Pick<Outgoing, 'from' | 'recipients'>): Envelope | Refused {
  const from = bare(message.from);
  if (!from) return refused(`sender ${quoted(message.from)} is not a plain 7-bit address`);
  const recipients = new Map<string, string>();
  for (const text of message.recipients) {
    const address = bare(text);
    if (!address) return refused(`recipient ${quoted(text)} is not a plain 7-bit address`);
    const key = address.toLowerCase();
    if (!recipients.has(key)) recipients.set(key, address);
  }
  if (recipients.size === 0)
    return { kind: 'refused', code: 'NO_RECIPIENTS', reason: 'the message has no recipients' };
  return { from, recipients: [...recipients.values()] };
}

function bare(text: string): string | null {
  const parsed = parseAddress(text);
  return parsed && parsed.name === undefined ? parsed.address : null;
}

function refused(reason: string): Refused {
  return { kind: 'refused', code: 'INVALID_ADDRESS', reason };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
