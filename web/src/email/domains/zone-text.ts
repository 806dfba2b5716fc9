import type { DomainQuery } from './generated.ts';

type Domain = NonNullable<DomainQuery['sendingDomain']>;

/** Returns the registered domain, which the names of the DNS records are relative to. */
export const getZoneName = ({ name, subdomain }: Pick<Domain, 'name' | 'subdomain'>): string =>
  subdomain && name.startsWith(`${subdomain}.`) ? name.slice(subdomain.length + 1) : name;

/** Formats a domain's DNS records as a zone file (RFC 1035, section 5). */
export function buildZoneFile(domain: Pick<Domain, 'name' | 'subdomain' | 'dnsRecords'>): string {
  const lines = domain.dnsRecords.map(({ name: at, ttl, type, priority, value }) =>
    [at, /^\d+$/.test(ttl) ? ttl : '3600', 'IN', type, formatRecordValue(type, value, priority)].join('\t'),
  );
  return [`$ORIGIN ${getZoneName(domain)}.`, ...lines, ''].join('\n');
}

function formatRecordValue(type: string, value: string, priority: string | null): string {
  if (type === 'TXT') return toQuotedStrings(value);
  const host = value.endsWith('.') ? value : `${value}.`;
  return type === 'MX' ? `${priority ?? '10'} ${host}` : host;
}

/** Splits a value into quoted strings of at most 255 characters. */
const toQuotedStrings = (value: string): string =>
  (value.match(/.{1,255}/gs) ?? ['']).map((part) => `"${part.replace(/["\\]/g, '\\$&')}"`).join(' ');
