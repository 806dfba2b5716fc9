import type { ReceivedMail } from '../../../src/engine/work/received.ts';
import { domainOf } from '../../../src/mail/address.ts';
import { partContent } from '../../../src/mail/parse/attachment.ts';
import type { ParsedMail } from '../../../src/mail/parse/message.ts';
import type { RawMail } from '../../../src/mail/parse/raw.ts';
import { isProved, type Verdicts } from '../intake/verdicts.ts';
import type { ClaimedDelivery } from './claim.ts';

/**
 * A message as apps may look at it. One of this installation has passed the gate of sending, which lets a workspace
 * send from its own domains alone.
 */
export function receivedMail(
  { source, sender }: ClaimedDelivery,
  { from, parts }: ParsedMail,
  raw: RawMail,
  verdicts: Verdicts | null,
): ReceivedMail {
  const address = from.length === 1 ? from[0]!.address.toLowerCase() : null;
  return {
    from: address,
    isProved:
      address !== null &&
      (source === 'local' || (verdicts !== null && isProved(verdicts, sender, domainOf(address)))),
    types: parts.map(({ type }) => type),
    async content(type, most) {
      const part = parts.find((each) => each.type === type);
      if (!part || part.size > most) return null;
      const pieces: Uint8Array[] = [];
      for await (const piece of partContent(raw, part)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}
