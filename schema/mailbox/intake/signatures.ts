import { Readable } from 'node:stream';
import { arc, type DNSResolver, dkimVerify } from 'mailauth';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import type { RawHeader } from '../../../src/message/parse/raw-header.ts';

export interface Signatures {
  dkim: string | null;
  arc: string | null;
  right: { domain: string; aligned?: string | false; underSized?: number }[];
}

const NOT_CHECKED: Signatures = { dkim: null, arc: null, right: [] };
const UNSIGNED: Signatures = { dkim: 'none', arc: 'none', right: [] };

/**
 * Maximum number of signatures to check. Each may require a hash of the whole body, and legitimate messages rarely have
 * five.
 */
const MAX_SIGNATURES = 12;
/** Maximum header size and line count for signature checks. The work grows with their product. */
const MAX_HEADER_BYTES = 128 * 1024;
const MAX_HEADER_LINES = 3_000;

/** Checks the first signatures of a message. Never throws: a signature that cannot be checked proves nothing. */
export async function checkSignatures(
  raw: RawMail,
  header: RawHeader,
  resolver: DNSResolver,
): Promise<Signatures> {
  const { text } = header;
  const arcFields = text.match(/^arc-(?:message-signature|seal)[ \t\r\n]*:/gim)?.length ?? 0;
  if (arcFields === 0 && !/^dkim-signature[ \t\r\n]*:/im.test(text)) return UNSIGNED;
  if (text.length > MAX_HEADER_BYTES || text.split('\n').length > MAX_HEADER_LINES) return NOT_CHECKED;
  try {
    const result = await dkimVerify(Readable.from(dropExtraSignatures(raw, header)), { resolver });
    const right = result.results.filter(({ status }) => status?.result === 'pass');
    return {
      dkim: right.length > 0 ? 'pass' : (result.results[0]?.status?.result ?? 'none'),
      arc: arcFields > MAX_SIGNATURES || !result.arc ? null : await verifyArc(result.arc, resolver),
      right: right.flatMap(({ signingDomain: domain, status: { aligned, underSized } }) =>
        domain ? [{ domain, ...(aligned && { aligned }), ...(underSized && { underSized }) }] : [],
      ),
    };
  } catch {
    return NOT_CHECKED;
  }
}

const DKIM_FIELD = /^dkim-signature[ \t\r\n]*:/i;

/** Streams the message with only its first signatures. */
async function* dropExtraSignatures(raw: RawMail, { text, end }: RawHeader): AsyncGenerator<Uint8Array> {
  let signatures = 0;
  const remainingFields = text
    .split(/(?<=\n)(?=[!-9;-~]+[ \t\r\n]*:)/)
    .filter((field) => !DKIM_FIELD.test(field) || ++signatures <= MAX_SIGNATURES);
  yield Buffer.from(remainingFields.join(''), 'latin1');
  yield* raw.read(end, raw.size);
}

async function verifyArc(chain: object, resolver: DNSResolver): Promise<string | null> {
  try {
    return (await arc(chain as Parameters<typeof arc>[0], { resolver })).status.result;
  } catch {
    return null;
  }
}
