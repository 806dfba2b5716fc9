import { MAIL_FROM } from '../../src/delivery/identities.ts';

/** A record to publish; `name` is relative to the domain. */
export interface DnsRecord {
  type: 'MX' | 'TXT' | 'CNAME';
  name: string;
  value: string;
  ttl: string;
  priority?: string;
  status: string;
  recommended?: boolean;
}

/** What of a domain its records follow from. */
export interface Published {
  region: string;
  status: string;
  /** Empty where no provider asks for records. */
  dkim_tokens: string[];
  dkim_status: string | null;
  /** State of the MAIL FROM domain; null when none is set. */
  spf_details: string | null;
  dmarc_added: boolean;
}

/** The DNS records the provider wants for a domain, each with what is known of it (SES: "Easy DKIM", "MAIL FROM"). Pure. */
export function dnsRecordsOf(domain: Published): DnsRecord[] {
  if (domain.dkim_tokens.length === 0) return [];
  const ttl = 'Auto';
  const dkim = domain.dkim_tokens.map((token) => ({
    type: 'CNAME' as const,
    name: `${token}._domainkey`,
    value: `${token}.dkim.amazonses.com`,
    ttl,
    status: domain.dkim_status ?? domain.status,
  }));
  const dmarc = { type: 'TXT' as const, name: '_dmarc', value: 'v=DMARC1; p=none;', ttl, recommended: true };
  // Nobody looks for the DMARC record, so nothing more is claimed of it.
  const seen = domain.dmarc_added ? 'SUCCESS' : 'NOT_STARTED';
  return [...dkim, ...mailFrom(domain, ttl), { ...dmarc, status: seen }];
}

function mailFrom({ region, spf_details: status }: Published, ttl: string): DnsRecord[] {
  if (status === null) return [];
  const value = `feedback-smtp.${region}.amazonses.com`;
  return [
    { type: 'MX', name: MAIL_FROM, value, ttl, priority: '10', status },
    { type: 'TXT', name: MAIL_FROM, value: 'v=spf1 include:amazonses.com ~all', ttl, status },
  ];
}
