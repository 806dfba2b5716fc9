import type { Resolver } from 'node:dns/promises';
import type { Config } from '../../../src/config.ts';
import { MAIL_FROM_SUBDOMAIN } from '../../../src/email/identities.ts';
import { createResolver, resolveOrEmpty } from '../../../src/net/resolver.ts';
import { getZoneDomain } from './zone.ts';

/** `SUCCESS` for the expected record, `FAILED` for a different one, `NOT_STARTED` for none. */
export type RecordCheckResult = 'SUCCESS' | 'FAILED' | 'NOT_STARTED';

export interface DnsObservation {
  dkim: RecordCheckResult;
  mx: RecordCheckResult;
  spf: RecordCheckResult;
  dmarc: RecordCheckResult;
  /** DMARC policy of the domain; undefined if no name server responded. */
  dmarcPolicy?: string;
  next?: RecordCheckResult;
  former?: RecordCheckResult;
  /** Published values by record type and full name (`buildRecordKey`). */
  observed?: Record<string, string[]>;
}

export const buildRecordKey = (type: 'TXT' | 'MX' | 'CNAME', name: string): string => `${type} ${name}`;

export interface DomainLookup {
  name: string;
  subdomain: string | null;
  region: string;
  public_key: string;
  dkim_selector: string | null;
  dkim_tokens: readonly string[];
  dkim_next_selector?: string | null;
  dkim_next_public?: string | null;
  dkim_former_selector?: string | null;
  dkim_former_public?: string | null;
}

/** @returns null if no name server responds */
export async function lookUpDomainRecords(
  config: Config,
  domain: DomainLookup,
): Promise<DnsObservation | null> {
  const observedRecords: ObservedRecords = {};
  const dns = createResolver(config.dnsServers);
  const resolver = createRecordingResolver(dns, observedRecords);
  const from = `${MAIL_FROM_SUBDOMAIN}.${domain.name}`;
  try {
    const [dkim, next, formerResult, mx, spf, dmarc, dmarcPolicy] = await Promise.all([
      checkDkim(resolver, domain),
      checkKeyRecord(resolver, domain.name, domain.dkim_next_selector, domain.dkim_next_public),
      checkKeyRecord(resolver, domain.name, domain.dkim_former_selector, domain.dkim_former_public),
      resolver.mx(from),
      resolver.txt(from),
      findDmarcRecord(resolver, domain),
      findDmarcPolicy(dns, domain.name),
    ]);
    const feedback = `feedback-smtp.${domain.region}.amazonses.com`;
    return {
      dkim,
      mx: toCheckResult(mx, (exchange) => exchange.toLowerCase() === feedback),
      spf: toCheckResult(spf, (text) => /^v=spf1\b/i.test(text) && /\binclude:amazonses\.com\b/i.test(text)),
      dmarc: toCheckResult(dmarc, (text) => /^v=DMARC1\b/i.test(text)),
      ...(dmarcPolicy && { dmarcPolicy }),
      ...(next && { next }),
      ...(formerResult && { former: formerResult }),
      observed: observedRecords,
    };
  } catch {
    return null;
  }
}

type ObservedRecords = NonNullable<DnsObservation['observed']>;

/** Bounds the stored values, because third-party DNS records may contain anything. */
const OBSERVED_LIMITS = { values: 5, length: 600 };

type RecordingResolver = Record<'txt' | 'mx' | 'cname', (name: string) => Promise<string[]>>;

function createRecordingResolver(resolver: Resolver, observedRecords: ObservedRecords): RecordingResolver {
  const recordObservedValues = async (place: string, lookup: Promise<string[]>) => {
    const values = await resolveOrEmpty(lookup);
    observedRecords[place] = values
      .slice(0, OBSERVED_LIMITS.values)
      .map((value) => value.slice(0, OBSERVED_LIMITS.length));
    return values;
  };
  return {
    txt: (name) =>
      recordObservedValues(
        buildRecordKey('TXT', name),
        resolver.resolveTxt(name).then((all) => all.map((parts) => parts.join(''))),
      ),
    mx: (name) =>
      recordObservedValues(
        buildRecordKey('MX', name),
        resolver.resolveMx(name).then((all) => all.map(({ exchange }) => exchange)),
      ),
    cname: (name) => recordObservedValues(buildRecordKey('CNAME', name), resolver.resolveCname(name)),
  };
}

/**
 * Finds the domain's DMARC record or, if there is none, the parent domain's, because subdomains inherit its policy (RFC
 * 7489 6.6.3).
 */
async function findDmarcRecord(
  resolver: RecordingResolver,
  { name, subdomain }: DomainLookup,
): Promise<string[]> {
  const ownRecord = await resolver.txt(`_dmarc.${name}`);
  return ownRecord.length > 0 || !subdomain
    ? ownRecord
    : resolver.txt(`_dmarc.${getZoneDomain(name, subdomain)}`);
}

/** Finds the DMARC policy that receivers apply: the domain's policy or its organizational domain's (RFC 9989). */
async function findDmarcPolicy(dns: Resolver, name: string): Promise<string | undefined> {
  const resolveRecord = (host: string, type: string) => dns.resolve(host, type as 'TXT');
  const { dmarc } = await import('mailauth');
  const dmarcResult = await dmarc({
    headerFrom: name,
    spfDomains: [],
    dkimDomains: [],
    resolver: resolveRecord,
  });
  return dmarcResult && dmarcResult.status.result !== 'temperror'
    ? (dmarcResult.policy ?? 'none')
    : undefined;
}

async function checkDkim(resolver: RecordingResolver, domain: DomainLookup): Promise<RecordCheckResult> {
  const { name, dkim_selector: selector, public_key: key, dkim_tokens: tokens } = domain;
  const ownStatus = await checkKeyRecord(resolver, name, selector, key);
  if (ownStatus) return ownStatus;
  const cnames = await Promise.all(tokens.map((token) => resolver.cname(`${token}._domainkey.${name}`)));
  const all = cnames.map((names, index) =>
    toCheckResult(names, (to) => to === `${tokens[index]}.dkim.amazonses.com`),
  );
  return all.find((item) => item !== 'SUCCESS') ?? (all.length ? 'SUCCESS' : 'NOT_STARTED');
}

async function checkKeyRecord(
  resolver: RecordingResolver,
  name: string,
  selector: string | null | undefined,
  key: string | null | undefined,
): Promise<RecordCheckResult | null> {
  if (!selector) return null;
  const keys = await resolver.txt(`${selector}._domainkey.${name}`);
  return toCheckResult(keys, (text) => isUsableKeyRecord(text, key));
}

/** Returns true if verifiers accept our signatures with this record (RFC 6376 3.6.1). */
function isUsableKeyRecord(text: string, key: string | null | undefined): boolean {
  const tags = new Map(
    text.split(';').map((tag) => {
      const [name = '', ...value] = tag.replace(/\s/g, '').split('=');
      return [name, value.join('=')] as const;
    }),
  );
  const lists = (name: string, ...accepted: string[]) =>
    (tags.get(name) ?? accepted[0]!).split(':').some((item) => accepted.includes(item));
  return (
    tags.get('p') === key &&
    lists('v', 'DKIM1') &&
    lists('k', 'rsa') &&
    lists('h', 'sha256') &&
    lists('s', '*', 'email')
  );
}

const toCheckResult = <T>(list: T[], fits: (item: T) => boolean): RecordCheckResult =>
  list.length === 0 ? 'NOT_STARTED' : list.some(fits) ? 'SUCCESS' : 'FAILED';
