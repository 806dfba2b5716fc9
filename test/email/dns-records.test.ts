import { expect, test } from 'vitest';
import { buildDnsRecords } from '../../schema/email/domains/dns-records.ts';
import { getZoneDomain } from '../../schema/email/domains/zone.ts';

const domain = {
  subdomain: '',
  region: 'eu-west-1',
  status: 'PENDING',
  public_key: '',
  dkim_selector: null,
  dkim_next_selector: null,
  dkim_next_public: null,
  dkim_former_selector: null,
  dkim_former_public: null,
  dkim_tokens: ['one', 'two', 'three'],
  dkim_status: 'SUCCESS',
  spf_details: 'FAILED',
  dns_seen: null,
};

test('lists three DKIM records, two MAIL FROM records and one DMARC record, each with a status', () => {
  expect(buildDnsRecords(domain).map(({ type, name, value, status }) => [type, name, value, status])).toEqual(
    [
      ['CNAME', 'one._domainkey', 'one.dkim.amazonses.com', 'SUCCESS'],
      ['CNAME', 'two._domainkey', 'two.dkim.amazonses.com', 'SUCCESS'],
      ['CNAME', 'three._domainkey', 'three.dkim.amazonses.com', 'SUCCESS'],
      ['MX', 'mail', 'feedback-smtp.eu-west-1.amazonses.com', 'FAILED'],
      ['TXT', 'mail', 'v=spf1 include:amazonses.com ~all', 'FAILED'],
      ['TXT', '_dmarc', 'v=DMARC1; p=none;', 'NOT_STARTED'],
    ],
  );
});

test('lists no records without a provider, and no MAIL FROM records without a MAIL FROM domain', () => {
  expect(buildDnsRecords({ ...domain, dkim_tokens: [] })).toEqual([]);
  const types = buildDnsRecords({ ...domain, spf_details: null }).map((record) => record.type);
  expect(types).toEqual(['CNAME', 'CNAME', 'CNAME', 'TXT']);
});

test('lists one TXT record for DKIM if the domain signs with its own key', () => {
  const ownDomain = { ...domain, dkim_tokens: ['atrium'], dkim_selector: 'atrium', public_key: 'MIIB' };
  expect(buildDnsRecords(ownDomain)[0]).toEqual({
    type: 'TXT',
    name: 'atrium._domainkey',
    value: 'p=MIIB',
    ttl: 'Auto',
    status: 'SUCCESS',
  });
});

test("lists the domain's own key with the result of the DNS check", () => {
  const ownDomain = {
    ...domain,
    dkim_tokens: [],
    dkim_selector: 'atrium',
    dkim_status: null,
    spf_details: null,
  };
  const buildRecords = (dnsResult: 'FAILED' | null) =>
    buildDnsRecords({
      ...ownDomain,
      status: 'SUCCESS',
      dns_seen: dnsResult && { dkim: dnsResult, mx: dnsResult, spf: dnsResult, dmarc: 'SUCCESS' },
    }).map(({ name, status }) => [name, status]);
  expect(buildRecords(null)).toEqual([
    ['atrium._domainkey', 'NOT_STARTED'],
    ['_dmarc', 'NOT_STARTED'],
  ]);
  expect(buildRecords('FAILED')).toEqual([
    ['atrium._domainkey', 'FAILED'],
    ['_dmarc', 'SUCCESS'],
  ]);
});

test("names a subdomain's records relative to the registrable domain, whose DMARC policy applies", () => {
  const ownDomain = { ...domain, subdomain: 'news', dkim_tokens: ['atrium'], dkim_selector: 'atrium' };
  expect(buildDnsRecords(ownDomain).map(({ name }) => name)).toEqual([
    'atrium._domainkey.news',
    'mail.news',
    'mail.news',
    '_dmarc',
  ]);
  expect(buildDnsRecords({ ...domain, subdomain: 'a.b' })[0]!.name).toBe('one._domainkey.a.b');
  expect([getZoneDomain('news.acme.co.uk', 'news'), getZoneDomain('acme.co.uk', '')]).toEqual([
    'acme.co.uk',
    'acme.co.uk',
  ]);
});

test('omits the record for a key created by another service', () => {
  const records = buildDnsRecords({ ...domain, dkim_tokens: ['usesend'] });
  expect(records.map(({ type, name }) => [type, name])).toEqual([
    ['MX', 'mail'],
    ['TXT', 'mail'],
    ['TXT', '_dmarc'],
  ]);
});

test.each([
  ['PENDING', 'FAILED', 'FAILED'],
  ['PENDING', 'SUCCESS', 'PENDING'],
  ['PENDING', 'NOT_STARTED', 'PENDING'],
  ['SUCCESS', 'FAILED', 'SUCCESS'],
] as const)('combines provider status %s and DNS result %s into %s', (provider, dnsResult, expected) => {
  const observation = { dkim: dnsResult, mx: dnsResult, spf: dnsResult, dmarc: dnsResult };
  const statuses = buildDnsRecords({
    ...domain,
    dkim_status: provider,
    spf_details: provider,
    dns_seen: observation,
  }).map((record) => record.status);
  expect(statuses).toEqual([...Array(5).fill(expected), dnsResult]);
});
