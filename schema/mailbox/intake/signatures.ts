import { Readable } from 'node:stream';
import type { arc, DNSResolver, dkimVerify } from 'mailauth';
import { parseHeaderFields } from '../../../src/message/parse/header-fields.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import type { RawHeader } from '../../../src/message/parse/raw-header.ts';

export interface Signatures {
  dkim: string | null;
  arc: string | null;
  /** Domains with a signature that covers the message as displayed. */
  right: { domain: string; aligned?: string | false }[];
}

const NOT_CHECKED: Signatures = { dkim: null, arc: null, right: [] };
const NO_SIGNATURES: Signatures = { dkim: 'none', arc: 'none', right: [] };

/**
 * Maximum number of signatures to check. Each may require a hash of the whole body. Legitimate messages rarely have
 * even five signatures.
 */
const MAX_SIGNATURES = 12;
/** The cost of signature checks grows with the product of these header limits. */
const MAX_HEADER_BYTES = 128 * 1024;
const MAX_HEADER_LINES = 3_000;
/** Maximum number of signed fields per signature, counted by colons. Each field requires a lookup. */
const MAX_SIGNED_FIELDS = 300;

/** Checks the first signatures of a message. Never throws: a signature that cannot be checked proves nothing. */
export async function checkSignatures(
  raw: RawMail,
  header: RawHeader,
  resolver: DNSResolver,
): Promise<Signatures> {
  const { text } = header;
  const arcFields = text.match(/^arc-(?:message-signature|seal)[ \t\r\n]*:/gim)?.length ?? 0;
  if (arcFields === 0 && !/^dkim-signature[ \t\r\n]*:/im.test(text)) return NO_SIGNATURES;
  if (text.length > MAX_HEADER_BYTES || text.split('\n').length > MAX_HEADER_LINES) return NOT_CHECKED;
  try {
    const { dkimVerify } = await import('mailauth');
    const result = await dkimVerify(Readable.from(dropExtraSignatures(raw, header)), {
      resolver,
      rejectRsaSha1: true,
    });
    const fields = countSingleFields(parseHeaderFields(Buffer.from(text, 'latin1')));
    const isReadAlike = haveSameCounts(fields, countSingleFields(toFields(result)));
    const right = result.results.filter((signature) => isReadAlike && provesMessage(signature, fields));
    return {
      dkim: right.length > 0 ? 'pass' : toUnprovedResult(result.results[0]?.status?.result),
      arc: arcFields > MAX_SIGNATURES || !result.arc ? null : await verifyArc(result.arc, resolver),
      right: right.flatMap(({ signingDomain: domain, status: { aligned } }) =>
        domain ? [{ domain, ...(aligned && { aligned }) }] : [],
      ),
    };
  } catch {
    return NOT_CHECKED;
  }
}

/**
 * Fields that occur at most once (RFC 5322 3.6, RFC 2045 3). If one is repeated, mail clients disagree on its value.
 */
const SINGLE_FIELDS = new Set([
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['content-type', 'content-transfer-encoding'],
]);

type FieldCounts = ReadonlyMap<string, number>;

function countSingleFields(fields: readonly { name: string }[]): FieldCounts {
  const counts = new Map<string, number>();
  for (const { name } of fields) if (SINGLE_FIELDS.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * Returns the fields as the verifier parsed them. The verifier parses lines that end with a bare CR differently than
 * this server.
 */
const toFields = ({ headers }: Awaited<ReturnType<typeof dkimVerify>>): { name: string }[] =>
  (headers?.parsed ?? []).map(({ key }) => ({ name: key }));

const haveSameCounts = (a: FieldCounts, b: FieldCounts): boolean =>
  a.size === b.size && [...a].every(([name, count]) => b.get(name) === count);

type SignatureResult = Awaited<ReturnType<typeof dkimVerify>>['results'][number];

/**
 * True if the signature is valid and rules out a replay with different content: text after the signed length, or
 * another `From` or `Subject` above the signed one (RFC 6376 8.2, 8.15).
 */
function provesMessage({ status, signingHeaders }: SignatureResult, fields: FieldCounts): boolean {
  if (status?.result !== 'pass' || status.underSized) return false;
  const signedNames = (signingHeaders?.headers ?? []).map((line) => line.slice(0, line.indexOf(':')).trim());
  const signedByName = Map.groupBy(signedNames, (name) => name.toLowerCase());
  return [...fields].every(([name, count]) => {
    const signedCount = signedByName.get(name)?.length ?? 0;
    return signedCount === count || (signedCount === 0 && count === 1);
  });
}

/** Returns `policy` instead of `pass` for a valid signature that is not accepted (RFC 8601 2.7.1). */
const toUnprovedResult = (result: string | undefined): string =>
  result === 'pass' ? 'policy' : (result ?? 'none');

const SIGNATURE_FIELD = /^(?:dkim-signature|arc-message-signature)[ \t\r\n]*:/i;
const DKIM_FIELD = /^dkim-signature[ \t\r\n]*:/i;

/** Streams the message without excess signatures and without signatures that list too many fields. */
async function* dropExtraSignatures(raw: RawMail, { text, end }: RawHeader): AsyncGenerator<Uint8Array> {
  let signatures = 0;
  const remainingFields = text
    .split(/(?<=\n)(?=[!-9;-~]+[ \t\r\n]*:)/)
    .filter((field) => !SIGNATURE_FIELD.test(field) || field.split(':').length <= MAX_SIGNED_FIELDS)
    .filter((field) => !DKIM_FIELD.test(field) || ++signatures <= MAX_SIGNATURES);
  yield Buffer.from(remainingFields.join(''), 'latin1');
  yield* raw.read(end, raw.size);
}

async function verifyArc(chain: object, resolver: DNSResolver): Promise<string | null> {
  try {
    const mailauth = await import('mailauth');
    return (await mailauth.arc(chain as Parameters<typeof arc>[0], { resolver })).status.result;
  } catch {
    return null;
  }
}
