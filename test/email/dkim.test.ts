import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { checkVerifiedDomains } from '../../schema/email/domains/domain-health.ts';
import { verifyDomain } from '../../schema/email/domains/domain-verify.ts';
import { sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { buildMail, startTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { startNameServer } from '../standins/dns.ts';
import { startSmtp } from '../standins/smtp.ts';
import { loadEvents, untilEmail, updateEmail } from './sending.ts';

/** With a relay, the application signs mail itself (RFC 6376). */

const records: Record<string, string[]> = {};
const names = setUp(() => startNameServer(records));
const relay = setUp(startSmtp);
const team = setUp(() =>
  startTeam({ MAIL_TRANSPORT: 'smtp', SMTP_URL: relay.url, DNS_SERVERS: names.address }),
);

const parseTags = (value: string): Record<string, string> =>
  Object.fromEntries(
    value.split(';').flatMap((tag) => {
      const index = tag.indexOf('=');
      return index > 0 ? [[tag.slice(0, index).trim(), tag.slice(index + 1).replace(/\s+/g, '')]] : [];
    }),
  );

const relaxField = (field: string): string => {
  const index = field.indexOf(':');
  const value = field
    .slice(index + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${field.slice(0, index).trim().toLowerCase()}:${value}`;
};

/** Verifies the first signature as the RFC describes. @returns its tags */
function checkSignature(raw: Buffer, publicKey: string): Record<string, string> {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const fields = text.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field))!;
  const tags = parseTags(signature.slice(signature.indexOf(':') + 1));
  expect(tags).toMatchObject({ v: '1', a: 'rsa-sha256', c: 'relaxed/relaxed' });
  const body = text
    .slice(end + 4)
    .replace(/[ \t]+(?=\r\n)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/(\r\n)+$/, '');
  const hash = createHash('sha256').update(`${body}\r\n`, 'latin1').digest('base64');
  expect(tags.bh).toBe(hash);
  const remainingFields = [...fields];
  const signed = tags.h!.split(':').flatMap((name) => {
    const at = remainingFields.findLastIndex((field) =>
      field.toLowerCase().startsWith(`${name.toLowerCase()}:`),
    );
    return at < 0 ? [] : `${relaxField(remainingFields.splice(at, 1)[0]!)}\r\n`;
  });
  const canonical = relaxField(signature).replace(/(; ?b=)[^;]*/, '$1');
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  const data = Buffer.from(signed.join('') + canonical, 'latin1');
  expect(verify('RSA-SHA256', data, key, Buffer.from(tags.b!, 'base64'))).toBe(true);
  return tags;
}

async function sendAndLoadRaw(from: string): Promise<Buffer> {
  const headers = {
    'List-Unsubscribe': '<https://x.example/u>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Feedback-ID': 'spring:7:mail:acme',
  };
  const { json } = await team.send(
    buildMail({ from, subject: 'Größe', html: '<p>Grüße,  und\n.\n\n</p>', headers }),
  );
  await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  return relay.received.at(-1)!.raw;
}

test("signs relayed mail with the domain's key once its DNS record is published", async () => {
  const { json } = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'news.signed.example', region: 'x' },
  });
  const [record, dmarc] = json.dnsRecords;
  expect(json.dnsRecords).toHaveLength(2);
  expect(record).toMatchObject({ type: 'TXT', name: 'atrium._domainkey.news', status: 'NOT_STARTED' });
  expect(dmarc).toMatchObject({ name: '_dmarc', recommended: true });
  await verifyDomain(team.main.ctx, 'news.signed.example');
  const unsignedDelivery = await team.deliver();
  expect((await sendAndLoadRaw('a@news.signed.example')).toString()).not.toMatch(/^dkim-signature/im);

  records['TXT atrium._domainkey.news.signed.example'] = [record.value];
  await verifyDomain(team.main.ctx, 'news.signed.example');
  const { json: domain } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(domain.dnsRecords[0]).toMatchObject({ value: record.value, status: 'SUCCESS' });
  // A worker caches keys for a minute.
  await unsignedDelivery.stop();
  const signingDelivery = await team.deliver();
  const tags = checkSignature(await sendAndLoadRaw('a@news.signed.example'), record.value.slice(2));
  expect(tags).toMatchObject({ d: 'news.signed.example', s: 'atrium' });
  expect(tags.h!.toLowerCase().split(':')).toEqual(
    expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'feedback-id']),
  );
  await signingDelivery.stop();
});

test('stores the private key encrypted and exposes it in no facade', async () => {
  const dkimPrivate = await team.runtime.db.value<string>(
    sql`select dkim_private from svc_domain where workspace_id > 0 and name = 'news.signed.example'`,
  );
  expect(Buffer.from(dkimPrivate, 'base64').toString('latin1')).not.toContain('PRIVATE');
  expect(() =>
    createPublicKey({ key: Buffer.from(dkimPrivate, 'base64'), format: 'der', type: 'pkcs1' }),
  ).toThrow();
  const { text } = await team.ask('GET', '/api/v1/domains');
  expect(text).not.toContain(dkimPrivate);
});

test("waits for a replacement key's DNS record before signing if the old key is undecryptable", async () => {
  const name = 'reopened.example';
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  records[`TXT atrium._domainkey.${name}`] = [json.dnsRecords[0].value];
  await verifyDomain(team.main.ctx, name);
  await team.runtime.db.rows(
    sql`update svc_domain set dkim_private = 'sealed with another key' where workspace_id > 0 and name = ${name}`,
  );
  const { config } = team.runtime;
  const { dnsServers } = config;
  config.dnsServers = ['127.0.0.1:1'];
  try {
    await verifyDomain(team.main.ctx, name);
  } finally {
    config.dnsServers = dnsServers;
  }
  const unsignedDelivery = await team.deliver();
  expect((await sendAndLoadRaw(`a@${name}`)).toString()).not.toMatch(/^dkim-signature/im);
  await unsignedDelivery.stop();
  const { json: domain } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  const { value } = domain.dnsRecords[0];
  expect(value).not.toBe(json.dnsRecords[0].value);
  records[`TXT atrium._domainkey.${name}`] = [value];
  await verifyDomain(team.main.ctx, name);
  const signingDelivery = await team.deliver();
  expect(checkSignature(await sendAndLoadRaw(`a@${name}`), value.slice(2))).toMatchObject({ s: 'atrium' });
  await signingDelivery.stop();
});

test('reports a missing DKIM record on the domain, in the log and as an event, and sends mail unsigned', async () => {
  const name = 'lost.example';
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  const place = `TXT atrium._domainkey.${name}`;
  const right = [json.dnsRecords[0].value];
  const warned = vi.spyOn(team.runtime.log, 'warn');
  const countNotices = async () =>
    (
      await team.runtime.db.rows(
        sql`select 1 from svc_event where workspace_id = ${team.main.ctx.workspace.id}
         and topic = 'domain.updated' and payload ->> 'name' = ${name}`,
      )
    ).length;
  const states: [string[] | undefined, string, boolean, number, boolean][] = [
    [undefined, 'NOT_STARTED', false, 0, false],
    [right, 'SUCCESS', true, 1, false],
    [right, 'SUCCESS', true, 0, false],
    [['p=another'], 'FAILED', false, 1, true],
    [right, 'SUCCESS', true, 1, false],
    [undefined, 'NOT_STARTED', false, 1, true],
  ];
  for (const [published, dkimStatus, isSigned, events, isLogged] of states) {
    const before = await countNotices();
    warned.mockClear();
    if (published) records[place] = published;
    else delete records[place];
    await verifyDomain(team.main.ctx, name);
    const domain = (await team.ask('GET', `/api/v1/domains/${json.id}`)).json;
    expect(domain).toMatchObject({ status: 'SUCCESS', dkimStatus });
    expect((await countNotices()) - before).toBe(events);
    expect(warned.mock.calls.some(([about]) => (about as { dkim?: string }).dkim === dkimStatus)).toBe(
      isLogged,
    );
    const [state] = (await checkVerifiedDomains(team.runtime.db, team.runtime.config)).filter(
      (domain) => domain.name === name,
    );
    expect(state!.failedRecords!.includes('dkim')).toBe(!isSigned);
    const worker = await team.deliver();
    expect(/^dkim-signature/im.test((await sendAndLoadRaw(`a@${name}`)).toString())).toBe(isSigned);
    await worker.stop();
  }
  warned.mockRestore();
});

test.each<[string, (record: string) => string[], string]>([
  ['all tags', (record) => [`v=DKIM1; k=rsa; h=sha1:sha256; s=email; t=y:s; n=note; ${record}`], 'SUCCESS'],
  [
    'white space in the key',
    (record) => [`${record.slice(0, 60)} ${record.slice(60, 90)}\t${record.slice(90)};`],
    'SUCCESS',
  ],
  ['a second text', (record) => ['v=spf1 -all', record], 'SUCCESS'],
  ['a revoked key', () => ['v=DKIM1; p='], 'FAILED'],
  ['a truncated key', (record) => [record.slice(0, -1)], 'FAILED'],
  ['another key type', (record) => [`k=ed25519; ${record}`], 'FAILED'],
  ['another hash', (record) => [`h=sha1; ${record}`], 'FAILED'],
  ['another service', (record) => [`s=other; ${record}`], 'FAILED'],
  ['another version', (record) => [`v=DKIM2; ${record}`], 'FAILED'],
  ['no text', () => [], 'NOT_STARTED'],
])('checks a DKIM record with %s', async (title, publish, dkimStatus) => {
  const name = `${title.replaceAll(' ', '-')}.records.example`;
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  records[`TXT atrium._domainkey.${name}`] = publish(json.dnsRecords[0].value);
  await verifyDomain(team.main.ctx, name);
  const { json: domain } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(domain).toMatchObject({ status: 'SUCCESS', dkimStatus });
});

const REJECT = 'v=DMARC1; p=reject';

test.each([
  ['reject', [REJECT], [], true],
  ['reject of the organization', [], [REJECT], true],
  ['reject for subdomains', [], ['v=DMARC1; p=none; sp=reject'], true],
  ['a different policy of the domain', ['v=DMARC1; p=none'], [REJECT], false],
  ['quarantine', ['v=DMARC1; p=quarantine'], [], false],
  ['reject in test mode', ['v=DMARC1; p=reject; t=y'], [], false],
  ['two records', [REJECT, 'v=DMARC1; p=none'], [], false],
  ['none', [], [], false],
])('decides by the DMARC policy whether unsigned mail is held: %s', async (_, ownPolicy, above, isHeld) => {
  const organization = `p${Date.now()}${Math.random().toString().slice(2)}.example`;
  const name = `news.${organization}`;
  records[`TXT _dmarc.${name}`] = ownPolicy;
  records[`TXT _dmarc.${organization}`] = above;
  await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  await verifyDomain(team.main.ctx, name);
  const errorMessage = await team.runtime.db.value<string | null>(
    sql`select error_message from svc_domain where workspace_id > 0 and name = ${name}`,
  );
  expect(errorMessage !== null).toBe(isHeld);
});

test('holds unsigned mail under p=reject, reports it once, and sends it when it can be signed', async () => {
  const name = 'strict.example';
  records[`TXT _dmarc.${name}`] = [REJECT];
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  await verifyDomain(team.main.ctx, name);
  const { json: domain } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(domain).toMatchObject({ status: 'SUCCESS', errorMessage: expect.stringContaining('is not signed') });
  const [checkedHealth] = (await checkVerifiedDomains(team.runtime.db, team.runtime.config)).filter(
    (domain) => domain.name === name,
  );
  expect(checkedHealth!.holdReason).toBe(domain.errorMessage);

  const worker = await team.deliver();
  const before = relay.received.length;
  const { json: sent } = await team.send(buildMail({ from: `a@${name}` }));
  const isHeld = { state: 'queued', latest_status: 'DELIVERY_DELAYED', reason: domain.errorMessage };
  const heldEmail = await untilEmail(team, sent.emailId, ({ reason }) => reason !== null);
  expect(heldEmail).toMatchObject({ ...isHeld, attempts: 1 });
  // The email is retried, but emits no second event.
  await updateEmail(team, sent.emailId, 'run_at = now()');
  await untilEmail(team, sent.emailId, ({ state, attempts }) => state === 'queued' && attempts === 2);
  const events = await loadEvents(team, sent.emailId);
  expect(events).toEqual([{ status: 'DELIVERY_DELAYED', data: { error: domain.errorMessage } }]);
  const { json: email } = await team.ask('GET', `/api/v1/emails/${sent.emailId}`);
  expect(email).toMatchObject({
    latestStatus: 'DELIVERY_DELAYED',
    emailEvents: [{ status: 'DELIVERY_DELAYED' }],
  });
  expect(relay.received.length).toBe(before);

  records[`TXT atrium._domainkey.${name}`] = [json.dnsRecords[0].value];
  await verifyDomain(team.main.ctx, name);
  const { json: mended } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(mended).toMatchObject({ errorMessage: null, dkimStatus: 'SUCCESS' });
  const [due] = await team.runtime.db.rows(
    sql`select 1 from svc_email where workspace_id > 0 and public_id = ${sent.emailId}
     and run_at <= now() + interval '1 minute'`,
  );
  expect(due).toBeDefined();
  await worker.stop();
  const signingDelivery = await team.deliver();
  await updateEmail(team, sent.emailId, 'run_at = now()');
  await untilEmail(team, sent.emailId, ({ state }) => state === 'sent');
  expect(relay.received.at(-1)!.raw.toString()).toMatch(/^dkim-signature/im);
  await signingDelivery.stop();
});

test('lets held scheduled emails be canceled, and holds no emails with MAIL_UNSIGNED=send', async () => {
  const name = 'scheduled.example';
  records[`TXT _dmarc.${name}`] = [REJECT];
  await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  await verifyDomain(team.main.ctx, name);
  const { json } = await team.send(
    buildMail({ from: `a@${name}`, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }),
  );
  const worker = await team.deliver();
  await updateEmail(team, json.emailId, 'run_at = now()');
  const heldEmail = await untilEmail(
    team,
    json.emailId,
    ({ attempts, state }) => attempts === 1 && state === 'queued',
  );
  expect(heldEmail).toMatchObject({
    latest_status: 'SCHEDULED',
    reason: expect.stringContaining('is not signed'),
  });
  expect((await team.ask('POST', `/api/v1/emails/${json.emailId}/cancel`)).status).toBe(200);
  await worker.stop();
  const { config } = team.runtime;
  config.holdsUnsigned = false;
  try {
    const sending = await team.deliver();
    expect((await sendAndLoadRaw(`a@${name}`)).toString()).not.toMatch(/^dkim-signature/im);
    await sending.stop();
  } finally {
    config.holdsUnsigned = true;
  }
});

interface RotationResult {
  dkimSelector: string;
  dkimNextSelector: string | null;
  dkimFormerSelector: string | null;
  dkimFormerUntil: string | null;
  dnsRecords: { name: string; value: string; status: string }[];
}

const FIELDS = `dkimSelector dkimNextSelector dkimFormerSelector dkimFormerUntil
  dnsRecords { name value status }`;

async function changeDomain(document: string, id: number, key?: string): Promise<RotationResult> {
  const { data, errors } = await team.graphql(
    `${document.replace('FIELDS', FIELDS)}`,
    { id: String(id) },
    key,
  );
  if (errors[0]) throw new Error(errors[0].message);
  return Object.values(data)[0] as RotationResult;
}

const ROTATE = 'mutation ($id: ID!) { domainRotateKey(id: $id) { FIELDS } }';
const SHOW = 'query ($id: ID!) { sendingDomain(id: $id) { FIELDS } }';

test('signs with a new key once its record is found and lists the old record for a week', async () => {
  const name = 'turned.example';
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  const old = json.dnsRecords[0];
  records[`TXT atrium._domainkey.${name}`] = [old.value];
  await verifyDomain(team.main.ctx, name);

  const rotation = await changeDomain(ROTATE, json.id);
  expect(rotation).toMatchObject({
    dkimSelector: 'atrium',
    dkimNextSelector: 'atrium2',
    dkimFormerSelector: null,
  });
  const next = rotation.dnsRecords.find((record) => record.name === 'atrium2._domainkey')!;
  expect(next.status).toBe('NOT_STARTED');
  expect(next.value).not.toBe(old.value);
  // Repeating the call before the record is found changes nothing.
  expect((await changeDomain(ROTATE, json.id)).dnsRecords).toEqual(rotation.dnsRecords);
  const { json: listed } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(listed.dnsRecords).toContainEqual(expect.objectContaining({ name: next.name, value: next.value }));

  const before = await team.deliver();
  expect(checkSignature(await sendAndLoadRaw(`a@${name}`), old.value.slice(2))).toMatchObject({
    s: 'atrium',
  });
  records[`TXT atrium2._domainkey.${name}`] = ['p=another'];
  await verifyDomain(team.main.ctx, name);
  const domain = await changeDomain(SHOW, json.id);
  expect(domain).toMatchObject({ dkimSelector: 'atrium', dkimNextSelector: 'atrium2' });
  expect(domain.dnsRecords.find((record) => record.name === next.name)!.status).toBe('FAILED');

  // The owner has deleted the old record by mistake. The new one suffices.
  delete records[`TXT atrium._domainkey.${name}`];
  records[`TXT atrium2._domainkey.${name}`] = [next.value];
  await verifyDomain(team.main.ctx, name);
  await before.stop();
  await team.deliver();
  expect(checkSignature(await sendAndLoadRaw(`a@${name}`), next.value.slice(2))).toMatchObject({
    s: 'atrium2',
  });
  const turnedResult = await changeDomain(SHOW, json.id);
  expect(turnedResult).toMatchObject({
    dkimSelector: 'atrium2',
    dkimNextSelector: null,
    dkimFormerSelector: 'atrium',
  });
  const days = (Date.parse(turnedResult.dkimFormerUntil!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
  expect(turnedResult.dnsRecords.map(({ name, status }) => [name, status])).toEqual([
    ['atrium2._domainkey', 'SUCCESS'],
    ['atrium._domainkey', 'NOT_STARTED'],
    ['_dmarc', 'NOT_STARTED'],
  ]);

  await team.runtime.db.rows(
    sql`update svc_domain set dkim_former_until = now() - interval '1 second' where workspace_id > 0 and name = ${name}`,
  );
  await verifyDomain(team.main.ctx, name);
  expect(await changeDomain(SHOW, json.id)).toMatchObject({
    dkimFormerSelector: null,
    dkimFormerUntil: null,
  });
  expect((await changeDomain(ROTATE, json.id)).dkimNextSelector).toBe('atrium3');
});

test("finds a new key's record in the job and rejects rotation by another workspace", async () => {
  const name = 'job.example';
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  await verifyDomain(team.main.ctx, name);
  const stranger = await team.tenant('key-strangers');
  await expect(changeDomain(ROTATE, json.id, stranger.admin.key)).rejects.toThrow('not found');
  const { dnsRecords } = await changeDomain(ROTATE, json.id);
  const next = dnsRecords.find((record) => record.name === 'atrium2._domainkey')!;
  records[`TXT atrium2._domainkey.${name}`] = [next.value];
  await listScheduledJobs()
    .find((scheduledJob) => scheduledJob.name === 'domain-check')!
    .run(team.runtime, {});
  expect((await changeDomain(SHOW, json.id)).dkimSelector).toBe('atrium2');
});

test('discards the DNS result for a key that was replaced during the lookup', async () => {
  const name = 'meanwhile.example';
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'local' } });
  let replaced: Promise<unknown> | null = null;
  Object.defineProperty(records, `TXT atrium._domainkey.${name}`, {
    get: async () => {
      replaced ??= team.runtime.db.rows(
        sql`update svc_domain set dkim_selector = 'atrium2', public_key = 'another' where workspace_id > 0 and name = ${name}`,
      );
      await replaced;
      return [json.dnsRecords[0].value];
    },
  });
  // The last DNS response arrives after the key was replaced.
  await verifyDomain(team.main.ctx, name);
  expect(replaced).not.toBeNull();
  expect((await changeDomain(SHOW, json.id)).dnsRecords[0]).toMatchObject({
    name: 'atrium2._domainkey',
    status: 'NOT_STARTED',
  });
});

test('rejects key rotation for a domain that the provider signs', async () => {
  const { config } = team.runtime;
  const { json } = await team.ask('GET', '/api/v1/domains');
  config.mailTransport = 'ses';
  try {
    await expect(changeDomain(ROTATE, json[0].id)).rejects.toThrow('signs');
  } finally {
    config.mailTransport = 'smtp';
  }
});
