import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { post, setUpApp } from '../harness/app.ts';
import { callMail, callMailOk, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);

const PICTURE = Buffer.from('iVBORw0KGgo=', 'base64');
const FILE = Buffer.from('name;value\nä;1\n', 'utf8');

const RICH = `From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.org>
To: "User, The" <user@main.test>, second@main.test
Cc: third@example.org
Subject: Figures
Date: Wed, 4 Mar 2026 05:06:07 +0100
Message-ID: <figures@example.org>
In-Reply-To: <asked@main.test>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<p onclick=3D"x()">Gr=FC=DFe</p><img src=3D"cid:pic@x"><img src=3D"https://tracker.example/p.png">
<script>alert(1)</script>
--r
Content-Type: image/png; name=pic.png
Content-Transfer-Encoding: base64
Content-ID: <pic@x>
Content-Disposition: inline

${PICTURE.toString('base64')}
--r--
--m
Content-Type: text/csv
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename*=utf-8''Umsatz%20%C3%84.csv

${FILE.toString('base64')}
--m--
`;

test('returns a complete, sanitized message, and marks it as read', async () => {
  const id = await fileRaw(app.main, mailbox, RICH);
  const before = await callMailOk(app, 'get_entries', { folder_id: mailbox.folders.inbox });
  expect(before.entries[0]).toMatchObject({ entry_id: id, is_read: false, attachment_count: 1 });
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
  expect(detail).toMatchObject({
    entry_id: id,
    subject: 'Figures',
    from_name: 'Jörg',
    from_email: 'joerg@example.org',
    to: [
      { name: 'User, The', email: 'user@main.test' },
      { name: '', email: 'second@main.test' },
    ],
    cc: [{ name: '', email: 'third@example.org' }],
    bcc: [],
    date: '2026-03-04T04:06:07.000Z',
    is_read: true,
    message_id: 'figures@example.org',
    in_reply_to: 'asked@main.test',
    has_remote_images: true,
  });
  expect(detail.body_text).toContain('Grüße');
  expect(detail.body_html).toContain('Grüße');
  expect(detail.body_html).not.toMatch(/script|onclick|tracker/);
  expect(detail.attachments.map((file: object) => ({ ...file, url: '' }))).toEqual([
    {
      id: `${id}.2`,
      number: 2,
      name: 'pic.png',
      type: 'image/png',
      size: PICTURE.length,
      inline: true,
      content_id: 'pic@x',
      is_kept: true,
      url: '',
    },
    {
      id: `${id}.3`,
      number: 3,
      name: 'Umsatz Ä.csv',
      type: 'text/csv',
      size: FILE.length,
      inline: false,
      content_id: null,
      is_kept: true,
      url: '',
    },
  ]);
  const open = await callMailOk(app, 'get_entry_detail', { entry_id: id, load_images: true });
  expect(open.body_html).toContain('https://tracker.example/p.png');
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_autoload_images: true } });
  expect((await callMailOk(app, 'get_entry_detail', { entry_id: id })).body_html).toContain(
    'https://tracker.example/p.png',
  );
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_autoload_images: false } });
  const after = await callMailOk(app, 'get_entries', { folder_id: mailbox.folders.inbox });
  expect(after.entries[0]).toMatchObject({ entry_id: id, is_read: true });
});

test.each([
  [100_001, 'x', false],
  [524_288, 'x', false],
  [524_288, '😀', false],
  [524_289, 'x', true],
  [524_289, '😀', true],
])(
  'returns %i characters of text, truncates them after 524,288, and reports whether it did',
  async (size, char, isCut) => {
    const text = `${char.repeat(size - 1)}Ω`;
    const raw = `Subject: Long\nContent-Type: text/plain; charset=utf-8\n\n${text}`;
    const id = await fileRaw(app.main, mailbox, raw);
    const [expectedText] = [isCut ? text.slice(0, -1) : text];
    const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
    const thread = (await callMailOk(app, 'get_thread', { entry_id: id })).entries.at(-1);
    for (const message of [detail, thread]) {
      expect(message.body_text === expectedText).toBe(true);
      expect(message.body_truncated).toBe(isCut);
    }
    if (!isCut) expect(detail.text_reply.endsWith(size < 524_288 || char === 'x' ? 'Ω' : char)).toBe(true);
    const source = await (await fetch(detail.raw_url)).text();
    expect(source.endsWith('Ω')).toBe(true);
  },
);

test.each([
  ['many tags', '<p>w</p>'.repeat(150_000), false],
  ['much text', `<p>${'word '.repeat(300_000)}</p>`, true],
  ['too much HTML', `<p>${'<b></b>'.repeat(400_000)}</p>`, true],
])('shows the end of HTML with %s, or reports that it is truncated', async (_, html, isCut) => {
  const raw = `Subject: Large\nContent-Type: text/html\n\n${html}<p>The end.</p>`;
  const id = await fileRaw(app.main, mailbox, raw);
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
  expect(detail.body_html.includes('The end.')).toBe(!isCut);
  expect(detail.body_html.includes('The message is longer.')).toBe(isCut);
  expect(detail.body_truncated).toBe(isCut);
});

test('removes hidden HTML text from the text and the search index, and flags the message', async () => {
  const html = '<p>Agenda of Tuesday</p><div style="display:none">Forward concealment</div>';
  const id = await fileRaw(app.main, mailbox, `Subject: Seen\nContent-Type: text/html\n\n${html}`);
  const plainId = await fileRaw(app.main, mailbox, 'Subject: Seen\nContent-Type: text/html\n\n<p>Hi</p>');
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
  expect(detail).toMatchObject({ body_text: 'Agenda of Tuesday', has_hidden_text: true });
  expect((await callMailOk(app, 'get_entry_detail', { entry_id: plainId })).has_hidden_text).toBe(false);
  const searchEntries = async (search: string) =>
    (await callMailOk(app, 'get_entries', { folder_id: mailbox.folders.inbox, search })).entries.length;
  expect([await searchEntries('concealment'), await searchEntries('agenda')]).toEqual([0, 1]);
});

test('truncates the texts of a long conversation, and reports the truncation', async () => {
  const ids: number[] = [];
  const text = 'x'.repeat(400_000);
  for (let n = 0; n < 30; n++) {
    const headers = `Message-ID: <long${n}@example.org>\nReferences: <long@example.org>`;
    ids.push(await fileRaw(app.main, mailbox, `Subject: Shared\n${headers}\n\n${text}`));
  }
  const { entries } = await callMailOk(app, 'get_thread', { entry_id: ids[0] });
  expect(entries).toHaveLength(30);
  for (const { body_text, body_truncated } of entries)
    expect([body_text.length, body_truncated]).toEqual([333_333, true]);
});

test('serves attachments and the raw message unchanged', async () => {
  const id = await fileRaw(app.main, mailbox, RICH.replace('figures@', 'files@'));
  const { user, admin } = app.main;
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
  const picture = await fetch(detail.attachments[0].url);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(PICTURE);
  expect(detail.body_html).toContain(detail.attachments[0].url.replaceAll('&', '&amp;'));
  const file = await fetch(detail.attachments[1].url);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(FILE);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; .*Umsatz%20%C3%84\.csv/);
  expect(file.headers.get('content-security-policy')).toBe("default-src 'none'");
  const forgedUrl = new URL(detail.attachments[1].url);
  forgedUrl.searchParams.set('id', forgedUrl.searchParams.get('id')!.replace(`${id}.`, `${id - 1}.`));
  expect((await fetch(forgedUrl)).status).toBe(400);
  const fetchRaw = (key: string) =>
    fetch(`${app.url}/mail/file?entry=${id}`, { headers: { authorization: `Bearer ${key}` } });
  const ownRaw = await fetchRaw(user.key);
  expect(await ownRaw.text()).toBe(RICH.replace('figures@', 'files@').replace(/\n/g, '\r\n'));
  expect(ownRaw.headers.get('content-type')).toBe('message/rfc822');
  // Signed links may be embedded anywhere, but files that require a session only by pages of this host.
  expect(ownRaw.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(picture.headers.get('cross-origin-resource-policy')).toBeNull();
  expect((await fetchRaw(admin.key)).status).toBe(403);
});

test('attachment links stop working when the membership ends or the mailbox is archived', async () => {
  const { ctx, user } = app.main;
  const workspace = ctx.workspace.id;
  const id = await fileRaw(app.main, mailbox, RICH.replace('figures@', 'ended@'));
  const openEntry = () => callMail(app, 'get_entry_detail', { entry_id: id });
  const { url } = (await openEntry()).body.attachments[1];
  const setMember = (userId: number) =>
    sql`update svc_mail_member set user_id = ${userId} where workspace_id = ${workspace} and account_id = ${mailbox.id}`;
  const archive = (active: boolean) =>
    sql`update svc_mail_account set active = ${active} where workspace_id = ${workspace} and id = ${mailbox.id}`;
  expect((await fetch(url)).status).toBe(200);
  await ctx.db.rows(setMember(app.main.admin.id));
  expect((await fetch(url)).status).toBe(404);
  await ctx.db.rows(setMember(user.id));
  await ctx.db.rows(archive(false));
  expect([(await fetch(url)).status, (await openEntry()).status]).toEqual([404, 403]);
  await ctx.db.rows(archive(true));
  expect([(await fetch(url)).status, (await openEntry()).status]).toEqual([200, 200]);
});

test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59-12:00', 'bogus', ''])(
  'uses the arrival time of a message with the date %j',
  async (date) => {
    const id = await fileRaw(
      app.main,
      mailbox,
      `From: a@example.org\nDate: ${date}\nSubject: odd ${date}\n\nx\n`,
    );
    const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
    expect(Math.abs(Date.parse(detail.date) - Date.now())).toBeLessThan(60_000);
  },
);

test('returns a conversation oldest first, and marks only the opened message as read', async () => {
  const buildMail = (id: string, refs: string, subject: string, date: string) =>
    `From: a@example.org\nTo: user@main.test\nSubject: ${subject}\nMessage-ID: <${id}@x>\n` +
    `References: ${refs}\nDate: ${date}\n\nText of ${id}\n\nOn Monday, B wrote:\n> quoted\n`;
  const lateId = await fileRaw(
    app.main,
    mailbox,
    buildMail('c2', '<c1@x>', 'Re: Talk', 'Thu, 5 Mar 2026 10:00:00 +0000'),
  );
  const earlyId = await fileRaw(
    app.main,
    mailbox,
    buildMail('c1', '', 'Talk', 'Wed, 4 Mar 2026 10:00:00 +0000'),
  );
  const thread = await callMailOk(app, 'get_thread', { entry_id: lateId });
  expect(thread.count).toBe(2);
  expect(
    thread.entries.map((item: { entry_id: number; is_read: boolean }) => [item.entry_id, item.is_read]),
  ).toEqual([
    [earlyId, false],
    [lateId, true],
  ]);
  expect(thread.entries[0].text_reply.trim()).toBe('Text of c1');
});

test("returns the same access error for other users' messages as for nonexistent ones", async () => {
  const id = await fileRaw(app.main, mailbox, 'Subject: mine\n\nx\n');
  const openAsAdmin = (method: string, entry_id: number) =>
    callMail(app, method, { entry_id }, app.main.admin.key);
  for (const method of ['get_entry_detail', 'get_thread']) {
    const [hers, none] = [await openAsAdmin(method, id), await openAsAdmin(method, 99_999)];
    expect([hers.status, none.status]).toEqual([403, 403]);
    expect(hers.body.message).toBe(none.body.message);
  }
});

test('marks a message as read in GraphQL and returns its typed fields', async () => {
  const id = await fileRaw(app.main, mailbox, RICH.replace('figures@', 'typed@'));
  const query = `mutation { mailRead(entryId: ${id}) { entryId subject to { name email } attachments { name size } isRead } }`;
  const response = (await post(`${app.url}/graphql`, { query }, app.main.user.key)).json();
  expect(response).toMatchObject({
    data: {
      mailRead: {
        entryId: String(id),
        subject: 'Figures',
        isRead: true,
        attachments: [{ name: 'pic.png' }, { name: 'Umsatz Ä.csv' }],
      },
    },
  });
});

test.each([
  ['To', 40, 4],
  ['To', 5_200, 1],
  ['Cc', 5_200, 1],
  ['Reply-To', 5_200, 1],
])(
  '%s fields with %i addresses each, %i times, are complete or declared truncated',
  async (name, count, times) => {
    const fields = Array.from({ length: times }, (_, field) => {
      const people = Array.from({ length: count }, (_, i) => `person-${field}-${i}@example.org`);
      return `${name}: ${people.join(',\n ')}\n`;
    }).join('');
    const raw = `From: a@example.org\n${fields}Subject: Many\n\nx\n`;
    const id = await fileRaw(app.main, mailbox, raw);
    const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
    const list = detail[name.toLowerCase().replace('-', '_')];
    expect(detail.recipients_truncated).toBe(list.length < count * times);
    expect(detail.raw_url).toMatch(/^http/);
  },
);
