import { expect, it } from 'vitest';
import { buildZoneFile } from './zone-text.ts';

const record = { observed: [], status: 'PENDING' as const, recommended: null, priority: null, ttl: 'Auto' };

it('formats DNS records as a zone file', () => {
  const key = `v=DKIM1; p=${'A'.repeat(300)}`;
  const text = buildZoneFile({
    name: 'news.example.com',
    subdomain: 'news',
    dnsRecords: [
      { ...record, type: 'MX', name: 'mail.news', value: 'feedback.example.net', priority: '10' },
      { ...record, type: 'TXT', name: 'atrium._domainkey.news', value: key },
      { ...record, type: 'CNAME', name: 'x._domainkey.news', value: 'x.dkim.example.net', ttl: '300' },
    ] as never,
  });
  expect(text.split('\n')).toEqual([
    '$ORIGIN example.com.',
    'mail.news\t3600\tIN\tMX\t10 feedback.example.net.',
    `atrium._domainkey.news\t3600\tIN\tTXT\t"${key.slice(0, 255)}" "${key.slice(255)}"`,
    'x._domainkey.news\t300\tIN\tCNAME\tx.dkim.example.net.',
    '',
  ]);
});
