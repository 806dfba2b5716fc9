import { isIP } from 'node:net';
import type { DNSResolver } from 'mailauth';
import type { Config } from '../../../src/config.ts';
import { findAuthorDomains } from '../../../src/message/author-domains.ts';
import type { ParsedMail } from '../../../src/message/parse/message.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import type { RawHeader } from '../../../src/message/parse/raw-header.ts';
import { withNameServers } from './name-servers.ts';
import type { MailOrigin } from './origin.ts';
import { checkSignatures, type Signatures } from './signatures.ts';
import type { Verdicts } from './verdicts.ts';

export interface UncheckedMail {
  raw: RawMail;
  header: RawHeader;
  sender: string;
  from: ParsedMail['from'];
}

/**
 * Authenticates an external sender with SPF, DKIM and DMARC. Queries name servers for a limited time. Never throws. If
 * the author cannot be authenticated, `dmarc` contains the reason, and the message counts as doubtful.
 */
export async function authenticateSender(
  config: Pick<Config, 'dnsServers'>,
  { raw, header, sender, from }: UncheckedMail,
  origin: MailOrigin,
): Promise<Verdicts> {
  const [sentResult, signatures] = await Promise.all([
    withNameServers(config, (resolver) => checkSpf(sender, origin, resolver)),
    withNameServers(config, (resolver) => checkSignatures(raw, header, resolver)),
  ]);
  const authors = findAuthorDomains(header.text, from);
  // Clients display the envelope sender if the message has no From.
  const domains =
    authors.fields > 0 || authors.domains.length > 0 ? authors.domains : [getSenderDomain(sender)];
  const results = await withNameServers(config, (resolver) =>
    Promise.all(domains.map((domain) => checkDmarc(domain, { sent: sentResult, signatures }, resolver))),
  );
  if (authors.truncated) results.push({ dmarc: 'fail', policy: 'quarantine' });
  const isMalformed = authors.fields > 1 && results.some(({ dmarc: result }) => result !== 'pass');
  if (isMalformed || results.length === 0) results.push({ dmarc: 'permerror', policy: null });
  return {
    spf: toConclusiveResult(sentResult.result),
    dkim: toConclusiveResult(signatures.dkim),
    signedBy: [...new Set(signatures.right.map(({ domain }) => domain))].slice(0, 20),
    ...selectStrictest(results),
    arc: toConclusiveResult(signatures.arc),
  };
}

const getSenderDomain = (sender: string): string => sender.slice(sender.lastIndexOf('@') + 1).toLowerCase();

interface SpfResult {
  /** Null if the client is unknown. */
  result: string | null;
  domain: string;
}

async function checkSpf(
  sender: string,
  { ip, helo, spf: resultOfRelay }: MailOrigin,
  resolver: DNSResolver,
): Promise<SpfResult> {
  const domain = getSenderDomain(sender) || (helo ?? '').toLowerCase();
  if (!ip) return { result: resultOfRelay ?? null, domain };
  const name = helo || ip;
  try {
    const { spf } = await import('mailauth');
    const spfResult = await spf({ sender, ip, helo: isIP(name) ? `[${name}]` : name, resolver });
    return { result: spfResult.status.result, domain: spfResult.domain };
  } catch {
    return { result: 'temperror', domain };
  }
}

interface SenderEvidence {
  sent: SpfResult;
  signatures: Signatures;
}

type DmarcResult = Pick<Verdicts, 'dmarc' | 'policy'>;

/**
 * Returns the DMARC result for one domain in From. The result is inconclusive if SPF could still pass, because the
 * client is unknown or a name server did not respond.
 */
async function checkDmarc(
  domain: string,
  { sent, signatures }: SenderEvidence,
  resolver: DNSResolver,
): Promise<DmarcResult> {
  if (domain === '') return { dmarc: 'permerror', policy: null };
  const isOpen = sent.result === null || sent.result === 'temperror';
  try {
    const { dmarc } = await import('mailauth');
    const dmarcResult = await dmarc({
      headerFrom: domain,
      spfDomains: sent.result === 'pass' || isOpen ? [sent.domain] : [],
      dkimDomains: signatures.right,
      resolver,
    });
    if (!dmarcResult) return { dmarc: 'permerror', policy: null };
    const { status, policy = null, alignment } = dmarcResult;
    const { result } = status;
    const mayPass = result === 'pass' || (result === 'fail' && sent.domain === '');
    if (isOpen && mayPass && !alignment.dkim.result) return { dmarc: sent.result, policy };
    return { dmarc: result, policy };
  } catch {
    return { dmarc: 'temperror', policy: null };
  }
}

/** From best to worst. */
const SEVERITY_ORDER = [
  'pass',
  'none',
  null,
  'fail',
  'permerror',
  'temperror',
  'fail quarantine',
  'fail reject',
];

const getSeverity = ({ dmarc, policy }: DmarcResult): number =>
  Math.max(SEVERITY_ORDER.indexOf(dmarc), SEVERITY_ORDER.indexOf(`${dmarc} ${policy}`));

/** Selects the result with the strictest policy, which applies if From names several domains (RFC 7489 6.6.1). */
const selectStrictest = (results: DmarcResult[]): DmarcResult =>
  results.reduce((worstResult, item) => (getSeverity(item) > getSeverity(worstResult) ? item : worstResult));

/** Returns null for an inconclusive result, such as a name server's failure to respond. */
const toConclusiveResult = (result: string | null): string | null =>
  result === null || result.startsWith('temp') || result === 'skipped' ? null : result;
