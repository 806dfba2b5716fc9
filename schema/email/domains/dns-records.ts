import { MAIL_FROM_SUBDOMAIN } from '../../../src/email/identities.ts';
import type { DnsObservation, RecordCheckResult } from './domain-dns.ts';

/** A DNS record to publish. `name` is relative to the registrable domain. */
export interface DnsRecord {
  type: 'MX' | 'TXT' | 'CNAME';
  name: string;
  value: string;
  ttl: string;
  priority?: string;
  status: string;
  recommended?: boolean;
}

export interface PublishedDomain {
  /** Part of the name below the registrable domain; empty or null if there is none. */
  subdomain: string | null;
  region: string;
  status: string;
  public_key: string;
  /** Null if the provider signs with its own keys. */
  dkim_selector: string | null;
  dkim_next_selector: string | null;
  dkim_next_public: string | null;
  /** Selector of the previous key, while mail signed with it may be in transit. */
  dkim_former_selector: string | null;
  dkim_former_public: string | null;
  /** Empty for transports without a provider. */
  dkim_tokens: string[];
  dkim_status: string | null;
  /** Status of the MAIL FROM domain; null if none is configured. */
  spf_details: string | null;
  /** Result of the last DNS lookup; null before the first. */
  dns_seen: DnsObservation | null;
}

const ttl = 'Auto';

/**
 * Builds the required DNS records with their status. A domain with Easy DKIM has three tokens; a domain whose mail is
 * signed here has only a selector.
 */
export function buildDnsRecords(domain: PublishedDomain): DnsRecord[] {
  if (domain.dkim_tokens.length === 0 && !domain.dkim_selector) return [];
  const observation = domain.dns_seen;
  const status = observation?.dmarc ?? 'NOT_STARTED';
  const dmarc = { type: 'TXT' as const, name: '_dmarc', value: 'v=DMARC1; p=none;', ttl, status };
  return [
    ...buildDkimRecords(domain),
    ...buildOtherKeyRecords(domain),
    ...buildMailFromRecords(domain),
    { ...dmarc, recommended: true },
  ];
}

const withSubdomain = (label: string, { subdomain }: Pick<PublishedDomain, 'subdomain'>): string =>
  subdomain ? `${label}.${subdomain}` : label;

function buildDkimRecords({
  dkim_selector,
  dkim_tokens,
  public_key,
  ...domain
}: PublishedDomain): DnsRecord[] {
  const checkResult = domain.dns_seen?.dkim;
  const dkimStatus = checkResult ?? 'NOT_STARTED';
  const status =
    dkim_tokens.length === 0 ? dkimStatus : combineStatus(domain.dkim_status ?? domain.status, checkResult);
  if (dkim_selector) {
    const name = withSubdomain(`${dkim_selector}._domainkey`, domain);
    return [{ type: 'TXT', name, value: `p=${public_key}`, ttl, status }];
  }
  // A single token is the selector of an imported key. Its record already exists, and its content is unknown.
  if (dkim_tokens.length === 1) return [];
  return dkim_tokens.map((token) => ({
    type: 'CNAME',
    name: withSubdomain(`${token}._domainkey`, domain),
    value: `${token}.dkim.amazonses.com`,
    ttl,
    status,
  }));
}

function buildOtherKeyRecords(domain: PublishedDomain): DnsRecord[] {
  const observation = domain.dns_seen;
  const keys = [
    [domain.dkim_next_selector, domain.dkim_next_public, observation?.next],
    [domain.dkim_former_selector, domain.dkim_former_public, observation?.former],
  ] as const;
  return keys.flatMap(([selector, key, checkResult]) => {
    if (!selector) return [];
    const name = withSubdomain(`${selector}._domainkey`, domain);
    return { type: 'TXT' as const, name, value: `p=${key}`, ttl, status: checkResult ?? 'NOT_STARTED' };
  });
}

function buildMailFromRecords({ region, spf_details, dns_seen, ...domain }: PublishedDomain): DnsRecord[] {
  if (spf_details === null) return [];
  const name = withSubdomain(MAIL_FROM_SUBDOMAIN, domain);
  const value = `feedback-smtp.${region}.amazonses.com`;
  const [mx, spf] = [combineStatus(spf_details, dns_seen?.mx), combineStatus(spf_details, dns_seen?.spf)];
  return [
    { type: 'MX', name, value, ttl, priority: '10', status: mx },
    { type: 'TXT', name, value: 'v=spf1 include:amazonses.com ~all', ttl, status: spf },
  ];
}

/**
 * Returns the provider's status, which covers several records. Unless that status is SUCCESS, returns FAILED for a
 * record that our lookup found to be wrong.
 */
function combineStatus(provider: string, result: RecordCheckResult | undefined): string {
  if (provider === 'SUCCESS' || !result) return provider;
  return result === 'FAILED' ? 'FAILED' : provider;
}
