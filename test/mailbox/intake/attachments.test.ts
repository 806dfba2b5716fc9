import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { acceptMessage } from '../../../schema/mailbox/intake/accept.ts';
import { readWholeBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import { parseMail } from '../../../src/message/parse/message.ts';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import { setUpApp } from '../../harness/app.ts';
import { until } from '../../harness/wait.ts';
import {
  buildEncrypted,
  buildMessageProperties,
  buildProperties,
  buildSigned,
  buildTnef,
  buildTnefFile,
  toBase64Lines,
  toDer,
} from '../../message/parse/containers.ts';
import { callMailOk, loadMailbox, queryGraphql, setMailFeature, setUpMailbox } from '../mailboxes.ts';
import { findMiscounts } from '../recount.ts';

const app = setUpApp();
const ann = setUpMailbox(app);

beforeAll(() => app.fileMail());

const getWorkspaceId = () => app.main.ctx.workspace.id;

const FILE = randomBytes(60_000).toString('base64').replace(/.{76}/g, '$&\r\n');
const IMAGE = randomBytes(600).toString('base64').replace(/.{76}/g, '$&\r\n');

const MIXED = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  '--outer',
  'Content-Type: multipart/related; boundary="inner"',
  '',
  '--inner',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: 8bit',
  '',
  '<p>Schöne Grüße <img src="cid:logo@x"></p>',
  '--inner',
  'Content-Type: image/png',
  'Content-Transfer-Encoding: base64',
  'Content-ID: <logo@x>',
  '',
  IMAGE,
  '--inner--',
  '--outer',
  'Content-Type: application/pdf;',
  '\tname="report.pdf"',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment;',
  '\tfilename="report.pdf"',
  '',
  FILE,
  '--outer',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Text behind the file.',
  '--outer--',
  '',
].join('\r\n');

const WHOLE_MAIL = [
  'MIME-Version: 1.0',
  'Content-Type: application/zip; name="all.zip"',
  'Content-Transfer-Encoding: base64',
  '',
  FILE,
].join('\r\n');

async function deliverAndLoad(subject: string, body: string) {
  const head = `From: bob@example.org\r\nTo: ${ann.address}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n`;
  await acceptMessage(app.runtime, {
    sender: 'bob@example.org',
    recipients: [ann.address],
    raw: Buffer.from(head + body),
    source: 'local',
  });
  const find = () =>
    app.runtime.db.rows<{ id: number; raw_hash: string; raw_whole: boolean; intake: string }>(
      sql`select e.id, c.raw_hash, c.raw_whole, i.raw_hash as intake from svc_mail_entry e
       join svc_mail_message c on c.workspace_id = ${getWorkspaceId()} and c.id = e.content_id
       join svc_mail_delivery d on d.workspace_id = ${getWorkspaceId()} and d.entry_id = e.id
       join svc_mail_intake i on i.workspace_id = ${getWorkspaceId()} and i.id = d.intake_id
       where e.workspace_id = ${getWorkspaceId()} and c.subject = ${subject}`,
    );
  await until(async () => (await find()).length === 1, 'it is filed');
  const [row] = await find();
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: row!.id });
  const raw = await readWholeBlob(app.main.ctx, row!.raw_hash);
  return { row: row!, detail, raw };
}

test('stores attachments with the message if the feature is on', async () => {
  const { row, detail, raw } = await deliverAndLoad('kept', MIXED);
  expect(row.raw_whole).toBe(true);
  expect(raw.toString()).toContain(FILE);
  expect(detail.attachments).toMatchObject([
    { is_kept: true, inline: true, size: 600 },
    { is_kept: true, name: 'report.pdf', size: 60_000 },
  ]);
});

const toFile = (type: string, bytes: Buffer) => [
  `Content-Type: ${type}`,
  'Content-Transfer-Encoding: base64',
  '',
  ...toBase64Lines(bytes),
];

const toOutlook = (file: Buffer) =>
  [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="o"',
    '',
    '--o',
    '',
    'Plain text.',
    '--o',
    ...toFile(
      'application/ms-tnef; name="winmail.dat"',
      buildTnef(
        buildMessageProperties({ 4115: Buffer.from('<p>With <b>format</b> <img src="cid:i@x"></p>') }),
        buildTnefFile('i.png', 'PNG', buildProperties({ 14098: 'i@x', 14094: 'image/png' })),
        buildTnefFile('report.pdf', file),
      ),
    ),
    '--o--',
    '',
  ].join('\r\n');

const downloadFiles = (attachments: { url: string }[]) =>
  Promise.all(attachments.map(async ({ url }) => (await fetch(url)).text()));

test('extracts the text and the files of winmail.dat', async () => {
  const { detail } = await deliverAndLoad('outlook', toOutlook(Buffer.from('%PDF-1.7')));
  expect(detail).toMatchObject({
    body_text: 'Plain text.',
    encryption: null,
    attachments: [
      { name: 'i.png', type: 'image/png', inline: true, is_kept: true },
      { name: 'report.pdf', inline: false, size: 8, is_kept: true },
    ],
  });
  expect(detail.body_html).toMatch(/<p>With <b>format<\/b> <img src="http[^"]+" ?\/?><\/p>/);
  expect(await downloadFiles(detail.attachments)).toEqual(['PNG', '%PDF-1.7']);
});

test('displays the content of a message with an opaque signature', async () => {
  const entity = Buffer.from(`Content-Type: text/html\r\n\r\n<p>Signed</p>\r\n`);
  const nested = buildSigned(
    toDer(
      4,
      `Content-Type: multipart/mixed; boundary=n\r\n\r\n--n\r\n${entity}--n\r\n${toFile('application/pdf; name=a.pdf', Buffer.from('%PDF')).join('\r\n')}\r\n--n--\r\n`,
    ),
  );
  const { detail } = await deliverAndLoad(
    'signed',
    toFile('application/pkcs7-mime; smime-type=signed-data', nested).join('\r\n'),
  );
  expect(detail).toMatchObject({ body_text: 'Signed', body_html: '<p>Signed</p>', encryption: null });
  expect(await downloadFiles(detail.attachments)).toEqual(['%PDF']);
});

test.each([
  ['smime', toFile('application/pkcs7-mime; name=smime.p7m', buildEncrypted()), 'smime.p7m'],
  [
    'pgp',
    ['', 'Hi', '-----BEGIN PGP MESSAGE-----', '', 'hQ==', '-----END PGP MESSAGE-----'],
    'encrypted.asc',
  ],
])(
  'marks a message as encrypted with %s, and offers the encrypted content as an attachment',
  async (kind, lines, name) => {
    const { row, detail } = await deliverAndLoad(`encrypted-${kind}`, `${lines.join('\r\n')}\r\n`);
    expect(detail).toMatchObject({ encryption: kind, attachments: [{ name, inline: false }] });
    const [content] = await downloadFiles(detail.attachments);
    expect(content).toContain(kind === 'pgp' ? 'BEGIN PGP MESSAGE' : '\u0002\u0001');
    const { data } = await queryGraphql(
      app,
      'query ($id: ID!) { mailMessage(id: $id) { encryption } mailMessagePlain(entryId: $id) { encryption } }',
      { id: row.id },
    );
    const expected = { encryption: kind.toUpperCase() };
    expect(data).toEqual({ mailMessage: expected, mailMessagePlain: expected });
  },
);

test('removes the attachment bytes and marks the message if the feature is off', async () => {
  await setMailFeature(app, 'mail.inbound_attachments', false);
  const { row, detail, raw } = await deliverAndLoad('left-out', MIXED);
  expect(row).toMatchObject({ raw_whole: false, intake: '' });
  expect(raw.length).toBeLessThan(2_500);
  expect(raw.toString()).not.toContain(FILE.slice(0, 76));
  expect(raw.toString()).not.toContain(IMAGE.slice(0, 76));
  expect(detail.attachments).toMatchObject([
    { is_kept: false, type: 'image/png', size: 600 },
    { is_kept: false, name: 'report.pdf', type: 'application/pdf', size: 60_000 },
  ]);
  expect(detail.body_html).toContain('Schöne Grüße');
  expect(detail.body_text).toContain('Text behind the file.');
  for (const { url } of detail.attachments) expect((await fetch(url)).status).toBe(404);
  const entries = await callMailOk(app, 'get_entries', {
    folder_id: ann.folders.inbox,
    search: 'filename:report',
  });
  expect(entries.entries.map((entry: { subject: string }) => entry.subject)).toContain('left-out');
  expect(await findMiscounts(app)).toEqual([]);
});

test('removes winmail.dat and its files if the feature is off, and keeps the plain text', async () => {
  const { detail, raw } = await deliverAndLoad('outlook-off', toOutlook(randomBytes(3_000)));
  expect(raw.length).toBeLessThan(1_500);
  expect(detail).toMatchObject({
    body_text: 'Plain text.',
    body_html: null,
    attachments: [
      { name: 'i.png', is_kept: false },
      { name: 'report.pdf', size: 3_000, is_kept: false },
    ],
  });
  for (const { url } of detail.attachments) expect((await fetch(url)).status).toBe(404);
});

test('replaces each attachment with a note that other programs can parse', async () => {
  const { raw } = await deliverAndLoad('read-elsewhere', MIXED);
  const mail = await parseMail(toRawMail(raw));
  expect(mail.text).toContain('Text behind the file.');
  expect(mail.attachments).toMatchObject([
    { type: 'message/external-body', contentId: 'logo@x' },
    { type: 'message/external-body', filename: 'report.pdf', disposition: 'attachment' },
  ]);
  expect(raw.toString()).toContain(
    'Content-Type: message/external-body; access-type=x-not-kept; size=60000\r\n\r\n' +
      'Content-Type: application/pdf;\r\n\tname="report.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      'This attachment was removed.\r\n\r\n--outer\r\n',
  );
});

test('keeps the header of a message that consists of a single attachment', async () => {
  const { detail, raw } = await deliverAndLoad('one-file', WHOLE_MAIL);
  expect(detail).toMatchObject({
    subject: 'one-file',
    from_email: 'bob@example.org',
    attachments: [{ is_kept: false, name: 'all.zip', size: 60_000 }],
  });
  expect(raw.toString()).toMatch(/^From: bob@example\.org\r\n[\s\S]*This attachment was removed\.\r\n$/);
  expect(raw.length).toBeLessThan(1_000);
});

test('stores a message without attachments unchanged, whether the feature is on or off', async () => {
  const { row, raw } = await deliverAndLoad('plain', '\r\nJust text.\r\n');
  expect(row.raw_whole).toBe(true);
  expect(raw.toString()).toMatch(/\r\n\r\nJust text\.\r\n$/);
});

test('stores the attachments again if a later notification of the same delivery has another recipient', async () => {
  const bob = await loadMailbox(app.main.ctx, app.main.admin.id);
  const head = 'From: carl@example.org\r\nSubject: two-rules\r\nMessage-ID: <two-rules@example.org>\r\n';
  const bring = (recipients: string[]) =>
    acceptMessage(app.runtime, {
      sender: 'carl@example.org',
      recipients,
      raw: Buffer.from(`Received: at ${Date.now()}\r\n${head}${MIXED}`),
      source: 'local',
      origin: 'ses two-rules',
    });
  const loadIntake = async () =>
    app.runtime.db.rows<{ state: string; raw_hash: string }>(
      sql`select d.state, i.raw_hash from svc_mail_intake i
       join svc_mail_delivery d on d.workspace_id = ${getWorkspaceId()} and d.intake_id = i.id
       where i.workspace_id = ${getWorkspaceId()} and i.origin = 'ses two-rules' order by d.id`,
    );
  const waitUntilFiled = (count: number) =>
    until(async () => {
      const rows = await loadIntake();
      return rows.length === count && rows.every(({ state }) => state === 'filed');
    }, 'it is filed');
  await bring([ann.address]);
  await waitUntilFiled(1);
  expect(await loadIntake()).toEqual([{ state: 'filed', raw_hash: '' }]);
  await bring([bob.address]);
  await waitUntilFiled(2);
  await bring([ann.address, bob.address]);
  expect(await loadIntake()).toEqual([
    { state: 'filed', raw_hash: '' },
    { state: 'filed', raw_hash: '' },
  ]);
  expect(await findMiscounts(app)).toEqual([]);
});
