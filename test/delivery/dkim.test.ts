import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyDomain } from '../../schema/send/domains/domain-verify.ts';
import { sql } from '../../src/db/sql.ts';
import { mail, startTeam, type Team } from '../harness/doors/rest.ts';
import { nameServer } from '../standins/dns.ts';
import { type SmtpStandin, startSmtp } from '../standins/smtp.ts';
import { until } from './sending.ts';

/** With a relay, mail is signed here (RFC 6376). */

const records: Record<string, string[]> = {};
let names: Awaited<ReturnType<typeof nameServer>>;
let relay: SmtpStandin;
let team: Team;

beforeAll(async () => {
  names = await nameServer(records);
  relay = await startSmtp();
  team = await startTeam({ MAIL_TRANSPORT: 'smtp', SMTP_URL: relay.url, DNS_SERVERS: names.address });
});
afterAll(async () => {
  await team?.close();
  await relay?.close();
  names?.socket.close();
});

const tagsOf = (value: string): Record<string, string> =>
  Object.fromEntries(
    value.split(';').flatMap((tag) => {
      const at = tag.indexOf('=');
      return at > 0 ? [[tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')]] : [];
    }),
  );

const relaxed = (field: string): string => {
  const at = field.indexOf(':');
  const value = field
    .slice(at + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${field.slice(0, at).trim().toLowerCase()}:${value}`;
};

/** Checks the first signature as a receiver does, by the RFC alone. @returns its tags */
function checked(raw: Buffer, publicKey: string): Record<string, string> {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const fields = text.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field))!;
  const tags = tagsOf(signature.slice(signature.indexOf(':') + 1));
  expect(tags).toMatchObject({ v: '1', a: 'rsa-sha256', c: 'relaxed/relaxed' });
  const body = text
    .slice(end + 4)
    .replace(/[ \t]+(?=\r\n)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/(\r\n)+$/, '');
  const hash = createHash('sha256').update(`${body}\r\n`, 'latin1').digest('base64');
  expect(tags.bh).toBe(hash);
  const left = [...fields];
  const signed = tags.h!.split(':').flatMap((name) => {
    const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at < 0 ? [] : `${relaxed(left.splice(at, 1)[0]!)}\r\n`;
  });
  const own = relaxed(signature).replace(/(; ?b=)[^;]*/, '$1');
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  const data = Buffer.from(signed.join('') + own, 'latin1');
  expect(verify('RSA-SHA256', data, key, Buffer.from(tags.b!, 'base64'))).toBe(true);
  return tags;
}

async function sentFrom(from: string): Promise<Buffer> {
  const headers = {
    'List-Unsubscribe': '<https://x.example/u>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const { json } = await team.send(
    mail({ from, subject: 'Größe', html: '<p>Grüße,  und\n.\n\n</p>', headers }),
  );
  await until(team, json.emailId, ({ state }) => state === 'sent');
  return relay.received.at(-1)!.raw;
}

test('mail through a relay is signed with the key of its domain once its record is published', async () => {
  const { json } = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'news.signed.example', region: 'x' },
  });
  const [record, dmarc] = json.dnsRecords;
  expect(json.dnsRecords).toHaveLength(2);
  expect(record).toMatchObject({ type: 'TXT', name: 'atrium._domainkey.news', status: 'NOT_STARTED' });
  expect(dmarc).toMatchObject({ name: '_dmarc', recommended: true });
  await verifyDomain(team.main.ctx, 'news.signed.example');
  const unsigned = await team.deliver();
  expect((await sentFrom('a@news.signed.example')).toString()).not.toMatch(/^dkim-signature/im);

  records['TXT atrium._domainkey.news.signed.example'] = [record.value];
  await verifyDomain(team.main.ctx, 'news.signed.example');
  const { json: seen } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(seen.dnsRecords[0]).toMatchObject({ value: record.value, status: 'SUCCESS' });
  // A worker keeps for a minute what it knows of a key.
  await unsigned.stop();
  await team.deliver();
  const tags = checked(await sentFrom('a@news.signed.example'), record.value.slice(2));
  expect(tags).toMatchObject({ d: 'news.signed.example', s: 'atrium' });
  expect(tags.h!.toLowerCase()).toContain('list-unsubscribe-post');
});

test('the private key is sealed, and no door shows it', async () => {
  const [row] = await team.runtime.db.rows<{ dkim_private: string }>(
    sql`select dkim_private from svc_domain where workspace_id > 0 and name = 'news.signed.example'`,
  );
  expect(Buffer.from(row!.dkim_private, 'base64').toString('latin1')).not.toContain('PRIVATE');
  expect(() =>
    createPublicKey({ key: Buffer.from(row!.dkim_private, 'base64'), format: 'der', type: 'pkcs1' }),
  ).toThrow();
  const { text } = await team.ask('GET', '/api/v1/domains');
  expect(text).not.toContain(row!.dkim_private);
});
