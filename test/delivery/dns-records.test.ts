import { expect, test } from 'vitest';
import { dnsRecordsOf } from '../../schema/send/dns-records.ts';

const domain = {
  region: 'eu-west-1',
  status: 'PENDING',
  dkim_tokens: ['one', 'two', 'three'],
  dkim_status: 'SUCCESS',
  spf_details: 'FAILED',
  dmarc_added: false,
};

test('the records of a domain are three of DKIM, two of MAIL FROM and one of DMARC, each with its own state', () => {
  expect(dnsRecordsOf(domain).map(({ type, name, value, status }) => [type, name, value, status])).toEqual([
    ['CNAME', 'one._domainkey', 'one.dkim.amazonses.com', 'SUCCESS'],
    ['CNAME', 'two._domainkey', 'two.dkim.amazonses.com', 'SUCCESS'],
    ['CNAME', 'three._domainkey', 'three.dkim.amazonses.com', 'SUCCESS'],
    ['MX', 'mail', 'feedback-smtp.eu-west-1.amazonses.com', 'FAILED'],
    ['TXT', 'mail', 'v=spf1 include:amazonses.com ~all', 'FAILED'],
    ['TXT', '_dmarc', 'v=DMARC1; p=none;', 'NOT_STARTED'],
  ]);
});

test('where no provider asks for records there are none, and without a MAIL FROM domain none for it', () => {
  expect(dnsRecordsOf({ ...domain, dkim_tokens: [] })).toEqual([]);
  const types = dnsRecordsOf({ ...domain, spf_details: null }).map((record) => record.type);
  expect(types).toEqual(['CNAME', 'CNAME', 'CNAME', 'TXT']);
});
