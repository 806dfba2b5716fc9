import type { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import { authenticate } from 'mailauth';
import { createCache } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import { limits } from '../../../src/limits.ts';
import type { RawMail } from '../../../src/mail/parse/raw.ts';
import { createResolver } from '../../../src/net/resolver.ts';
import type { Client } from './client.ts';

/** What the records of senders' domains say of a message: `pass`, `fail`, `none` …; null where it is not known. */
export interface Verdicts {
  spf: string | null;
  dkim: string | null;
  /** Domains of the signatures that are right. */
  signedBy: string[];
  dmarc: string | null;
  /** What the domain of the sender asks for where DMARC fails: `none`, `quarantine` or `reject`. */
  policy: string | null;
  arc: string | null;
}

export const NOT_KNOWN: Verdicts = {
  spf: null,
  dkim: null,
  signedBy: [],
  dmarc: null,
  policy: null,
  arc: null,
};

/**
 * Checks where a message that came from outside comes from. Asks name servers, for a bounded time. Never throws: what
 * cannot be found out is not known.
 */
export async function verdictsOf(
  { dnsServers }: Pick<Config, 'dnsServers'>,
  raw: RawMail,
  sender: string,
  { ip, helo }: Client,
): Promise<Verdicts> {
  if (raw.size > limits.mx.judgedBytes) return NOT_KNOWN;
  const start = await startOf(raw);
  const header = headerOf(start, start.length === raw.size);
  // A header that goes on has more fields than any honest message.
  const signatures = header ? signaturesIn(header) : Number.POSITIVE_INFINITY;
  if (signatures > SIGNATURES) return NOT_KNOWN;
  // The body matters to signatures alone.
  const judged =
    signatures === 0 ? header! : start.length === raw.size ? start : Readable.from(raw.read(0, raw.size));
  let resolver: Resolver | null = null;
  const asked = () => (resolver ??= createResolver(dnsServers));
  const end = setTimeout(() => resolver?.cancel(), limits.mx.dnsTime);
  try {
    const found = await authenticate(judged, {
      sender,
      ...(ip && { ip }),
      ...(helo && { helo }),
      disableBimi: true,
      resolver: (name: string, type: string) =>
        answerTo(`${dnsServers ?? ''} ${type} ${name.toLowerCase()}`, () =>
          asked().resolve(name, type as 'TXT'),
        ) as Promise<never>,
    });
    return readVerdicts(found);
  } catch {
    return NOT_KNOWN;
  } finally {
    clearTimeout(end);
  }
}

/** What name servers answered a moment ago: the same domains send most of the mail. */
const answers = createCache<string, { found: unknown } | { error: unknown }>({
  entries: limits.mx.dnsAnswers,
  weight: { most: limits.mx.dnsAnswerBytes, of: (answer) => 200 + JSON.stringify(answer).length },
  age: limits.mx.dnsAnswerTime,
});

/** @throws what the name server says, that there is nothing included */
async function answerTo(question: string, ask: () => Promise<unknown>): Promise<unknown> {
  const known = answers.get(question);
  if (known && 'error' in known) throw known.error;
  if (known) return structuredClone(known.found);
  try {
    const found = await ask();
    answers.set(question, { found: structuredClone(found) });
    return found;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? ''))
      answers.set(question, { error });
    throw error;
  }
}

/** As much of the message as its store has at hand, and as a header may have. */
async function startOf(raw: RawMail): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of raw.read(0, raw.size)) {
    pieces.push(piece);
    size += piece.length;
    if (size >= HEADER) break;
  }
  const [first] = pieces;
  return pieces.length === 1 ? Buffer.from(first!.buffer, first!.byteOffset, size) : Buffer.concat(pieces);
}

/** With the empty line at its end, if there is one; null where it is longer than what is judged. */
function headerOf(start: Buffer, isWhole: boolean): Buffer | null {
  const text = start.toString('latin1', 0, HEADER);
  const end = /\r?\n\r?\n/.exec(text);
  if (end) return start.subarray(0, end.index + end[0].length);
  return isWhole && start.length <= HEADER ? start : null;
}

/** Each signature may have the whole body hashed again, so there is a bound on them. */
const signaturesIn = (header: Buffer): number =>
  (header.toString('latin1').match(/^(?:dkim-signature|arc-message-signature|arc-seal)[ \t]*:/gim) ?? [])
    .length;

/** Bytes of a header that is judged. */
const HEADER = 64 * 1024;
/** Signatures of a message that are checked; an honest one rarely has five. */
const SIGNATURES = 12;

function readVerdicts({ spf, dkim, dmarc, arc }: Awaited<ReturnType<typeof authenticate>>): Verdicts {
  const signed = dkim.results.filter(({ status }) => status?.result === 'pass');
  return {
    spf: known(resultOf(spf)),
    dkim: signed.length > 0 ? 'pass' : known(dkim.results[0]?.status?.result ?? 'none'),
    signedBy: [...new Set(signed.flatMap(({ signingDomain }) => signingDomain ?? []))].slice(0, 20),
    dmarc: known(resultOf(dmarc)),
    policy: dmarc ? dmarc.policy : null,
    arc: known(resultOf(arc)),
  };
}

const resultOf = (part: { status: { result: string } } | false): string | false =>
  part ? part.status.result : false;

/** A server that did not answer says nothing. */
const known = (result: string | false): string | null =>
  !result || result.startsWith('temp') || result === 'skipped' ? null : result;

/** Whether the sender of the envelope is known not to be who it says: an answer might go to somebody else. Pure. */
export function isUnproved({ spf, signedBy }: Verdicts, sender: string): boolean {
  const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase();
  const isSigned = signedBy.some(
    (name) => domain === name.toLowerCase() || domain.endsWith(`.${name.toLowerCase()}`),
  );
  return spf !== null && spf !== 'pass' && !isSigned;
}

/** Whether the domain of the sender wants such a message not to be taken for its own. Pure. */
export const isDisowned = ({ dmarc, policy }: Verdicts): boolean =>
  dmarc === 'fail' && (policy === 'reject' || policy === 'quarantine');

/**
 * Whether it is known that the domain which a message says it is from has sent it: DMARC, or a signature or the
 * envelope's server of just that domain. Pure.
 * @param sender of the envelope
 */
export function isProved({ spf, signedBy, dmarc }: Verdicts, sender: string, domain: string): boolean {
  if (domain === '' || dmarc === 'fail') return false;
  const isSigned = signedBy.some((name) => name.toLowerCase() === domain);
  const isSent = spf === 'pass' && sender.slice(sender.lastIndexOf('@') + 1).toLowerCase() === domain;
  return dmarc === 'pass' || isSigned || isSent;
}
