import { beforeAll, expect, test } from 'vitest';
import { parseContactsCsv } from '../../schema/email/contacts/csv-rows.ts';
import { verifyDomain } from '../../schema/email/domains/domain-verify.ts';
import { sql } from '../../src/db/sql.ts';
import { buildMail, startTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';
import { startSmtp } from '../standins/smtp.ts';

const relay = setUp(startSmtp);
const team = setUp(() => startTeam({ MAIL_TRANSPORT: 'smtp', SMTP_URL: relay.url }));
beforeAll(async () => {
  await verifyDomain(team.main.ctx, 'main.test');
  await team.deliver();
});

const HALF = '\ud83d';
const content = 'AAAA';

test.each<[string, object]>([
  ['subject', { subject: `a${HALF}` }],
  ['html', { html: `<p>${HALF}</p>` }],
  ['text', { text: HALF }],
  ['from', { from: `Main ${HALF} <hello@main.test>` }],
  ['to', { to: `Ann ${HALF} <ann@example.net>` }],
  ['headers', { headers: { 'X-A': HALF } }],
  ['tags', { tags: { a: HALF } }],
  ['metadata', { metadata: { a: [HALF] } }],
  ['attachments', { attachments: [{ filename: `${HALF}.txt`, content }] }],
])(
  'rejects an unpaired surrogate in %s of a send and of a batch, and names the field',
  async (field, change) => {
    const body = JSON.stringify(buildMail(change));
    for (const [path, text] of [
      ['/api/v1/emails', body],
      ['/api/v1/emails/batch', `[${JSON.stringify(buildMail())},${body}]`],
    ] as const) {
      const { status, json } = await team.ask('POST', path, {
        body: text,
        headers: { 'content-type': 'application/json' },
      });
      expect([status, json.error?.message]).toEqual([400, expect.stringContaining(`${field}:`)]);
    }
  },
);

test('rejects an unpaired surrogate in a contact and in a contact book, and names the field', async () => {
  const post = async (path: string, body: object) => {
    const { status, json } = await team.ask('POST', `/api/v1/contactBooks${path}`, { body });
    return [status, json.error?.message ?? json.id];
  };
  const message = (field: string) => [400, `${field}: contains a lone surrogate (half of a character).`];
  expect(await post('', { name: `a${HALF}` })).toEqual(message('name'));
  const [, book] = await post('', { name: 'Halves' });
  expect(await post(`/${book}/contacts`, { email: 'a@example.com', firstName: HALF })).toEqual(
    message('firstName'),
  );
});

test('accepts characters outside the basic multilingual plane, and a backslash before u', async () => {
  const { status } = await team.send(
    buildMail({ subject: '😀', metadata: { a: '😀', b: '\\ud83d', c: '\\\\ud83d' }, tags: { a: '😀' } }),
  );
  expect(status).toBe(200);
});

test.each(['tags', 'headers', 'metadata', 'variables'])(
  'rejects __proto__ in %s instead of dropping it',
  async (field) => {
    const body = JSON.stringify(buildMail()).replace(/\}$/, `,"${field}":{"__proto__":"x"}}`);
    const { status, json } = await team.ask('POST', '/api/v1/emails', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(`${field}: __proto__`)]);
  },
);

test('rejects a file name with text direction characters, and rejects an empty attachment', async () => {
  const turnedResponse = await team.send(
    buildMail({ attachments: [{ filename: 'a\u202egnp.exe', content }] }),
  );
  expect([turnedResponse.status, turnedResponse.json.error.message]).toEqual([
    400,
    expect.stringContaining('change the text direction'),
  ]);
  const empty = await team.send(buildMail({ attachments: [{ filename: 'a.txt', content: '' }] }));
  expect([empty.status, empty.json.error.message]).toEqual([
    400,
    expect.stringContaining('attachments.0.content: must not be empty'),
  ]);
});

test.each(['Resent-From', 'ARC-Seal', 'Authentication-Results', 'Received-SPF', 'Delivered-To'])(
  'rejects the header %s, which only servers may add',
  async (name) => {
    const { status, json } = await team.send(buildMail({ headers: { [name]: 'x' } }));
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringContaining(`${name} is added during delivery`),
    ]);
  },
);

async function sendAndLoad(change: object): Promise<{ raw: string; recipients: string[] }> {
  const mark = crypto.randomUUID();
  const { status } = await team.send(buildMail({ ...change, headers: { 'X-Mark': mark } }));
  expect(status).toBe(200);
  const findMessage = () => relay.received.find(({ raw }) => raw.includes(mark));
  await until(findMessage, 'it has left');
  const { raw, recipients } = findMessage()!;
  return { raw: raw.toString('latin1'), recipients };
}

test('does not change a subject or name that looks like an encoded word', async () => {
  const { raw } = await sendAndLoad({
    subject: '=?utf-8?q?evil?= x',
    from: '"=?utf-8?q?evil?=" <hello@main.test>',
  });
  expect(raw).not.toMatch(/=\?utf-8\?q\?evil\?=/);
  const words = [...raw.matchAll(/^(?:Subject|From): =\?UTF-8\?Q\?(.*?)\?=/gm)].map(([, word]) =>
    word!
      .replaceAll('_', ' ')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
  expect(words.sort()).toEqual(['=?utf-8?q?evil?=', '=?utf-8?q?evil?= x']);
});

test('sends one copy to a recipient who is listed twice', async () => {
  const { recipients } = await sendAndLoad({
    to: ['dup@example.net', 'DUP@example.net'],
    cc: 'Dup <dup@EXAMPLE.net>',
  });
  expect(recipients).toEqual(['dup@example.net']);
});

test('stops an import at a row over the size limit, and reports an overlong value as an error', async () => {
  const book = await team.book();
  const file = `email,bio\na@x.example,short\nb@x.example,${'x'.repeat(70_000)}\nc@x.example,short\n`;
  const response = await fetch(`${team.url}/api/v1/contactBooks/${book}/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.main.teamKey}`, 'content-type': 'text/csv' },
    body: file,
  });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('The row at line 3'),
  ]);
  const lines = [];
  for await (const line of parseContactsCsv(
    (async function* () {
      yield `email,bio\na@x.example,${'x'.repeat(10_001)}\nb@x.example,short\n`;
    })(),
  ))
    lines.push(line);
  expect(lines.map((line) => ['fault' in line, line.line])).toEqual([
    [true, 2],
    [false, 3],
  ]);
  const storedContacts = await team.runtime.db.rows(
    sql`select 1 from svc_contact where workspace_id > 0 and email like 'c@x%'`,
  );
  expect(storedContacts).toEqual([]);
});
