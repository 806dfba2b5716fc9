import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { sql } from '../../src/db/sql.ts';
import { findPython } from '../clients/python.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { sendOverSmtp } from '../harness/smtp.ts';
import { until } from '../harness/wait.ts';

/** Calendar invitations in the format that mail clients expect (RFC 6047). */

const python = await findPython('smtplib', 'python3');

const team = setUpTeam();
const facade = setUp(() => startSubmission(team.runtime, { port: 0 }));

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'SUMMARY:Größe',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');
const content = Buffer.from(CALENDAR).toString('base64');

async function deliverAndLoadRaw(id: string): Promise<string> {
  let row: { raw: Buffer } | undefined;
  await team.deliver();
  await until(async () => {
    [row] = await team.runtime.db.rows<{ raw: Buffer }>(
      sql`select o.raw from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id
       where o.workspace_id > 0 and e.public_id = ${id}`,
    );
    return row;
  }, 'it is kept');
  return row!.raw.toString('latin1');
}

function parseContentTypes(raw: string): string[] {
  const unfolded = raw.replace(/\r\n[ \t]+/g, ' ');
  return [...unfolded.matchAll(/^Content-Type: (.*?)\r?$/gm)].map(([, type]) =>
    type!.replace(/; boundary.*/, ''),
  );
}

const parseCalendar = async (raw: string): Promise<string> =>
  (await simpleParser(raw)).attachments
    .find(({ contentType }) => contentType === 'text/calendar')!
    .content.toString();

test('keeps the method and charset in the content type of an attached invitation', async () => {
  const contentType = 'text/calendar; method=REQUEST; charset=UTF-8';
  const { status, json } = await team.send(
    buildMail({ attachments: [{ filename: 'invite.ics', content, contentType }] }),
  );
  expect([status, json.error]).toEqual([200, undefined]);
  const raw = await deliverAndLoadRaw(json.emailId);
  expect(parseContentTypes(raw).at(-1)).toBe(`${contentType}; name="invite.ics"`);
  expect(raw).toContain('Content-Disposition: attachment; filename=invite.ics');
  expect(await parseCalendar(raw)).toBe(CALENDAR);
});

test('places an alternative invitation after the text and the HTML, alongside attachments', async () => {
  const alternative = {
    filename: 'invite.ics',
    content,
    contentType: 'text/calendar; method=REQUEST; charset=UTF-8',
    alternative: true,
  };
  const file = { filename: 'agenda.pdf', content: 'AAAA' };
  const { json } = await team.send(
    buildMail({ text: 'T', html: '<p>H</p>', attachments: [alternative, file] }),
  );
  expect(parseContentTypes(await deliverAndLoadRaw(json.emailId))).toEqual(
    [
      'multipart/mixed;',
      'multipart/alternative;',
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
      'text/calendar; method=REQUEST; charset=UTF-8',
      'application/pdf; name="agenda.pdf"',
    ].map((type) => type.replace(/;$/, '')),
  );
});

test.each([
  'text/calendar; method',
  'text/calendar; method=REQUEST;',
  'text/calendar; method=A; Method=B',
  'text/calendar; method="A\r\nX: y"',
  'text/calendar; method=REQUEST\r\nX-Evil: 1',
  'multipart/mixed; boundary=x',
  'text',
])('rejects the contentType %j', async (contentType) => {
  const { status, json } = await team.send(
    buildMail({ attachments: [{ filename: 'a.ics', content, contentType }] }),
  );
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('contentType of a.ics')]);
});

test('rejects an alternative without a contentType', async () => {
  const { status } = await team.send(
    buildMail({ attachments: [{ filename: 'a.ics', content, alternative: true }] }),
  );
  expect(status).toBe(400);
});

const parseQueuedId = (response: string): string => /queued as (\S+)/.exec(response)![1]!;

test("sends nodemailer's icalEvent unchanged, as an alternative and as an attachment", async () => {
  const mail = {
    from: 'me@main.test',
    to: 'bob@example.org',
    subject: 'Invitation',
    text: 'T',
    html: '<p>H</p>',
    icalEvent: { method: 'REQUEST', filename: 'invite.ics', content: CALENDAR },
  };
  const auth = { user: 'any', pass: team.main.teamKey };
  const response = await sendOverSmtp(facade.port, mail, { auth });
  const raw = await deliverAndLoadRaw(parseQueuedId(response));
  expect(parseContentTypes(raw)).toEqual([
    'multipart/mixed',
    'multipart/alternative',
    'text/plain; charset=utf-8',
    'text/html; charset=utf-8',
    'text/calendar; charset=utf-8; method=REQUEST',
    'application/ics; name="invite.ics"',
  ]);
  expect(await parseCalendar(raw)).toBe(CALENDAR);
});

python.describe("with Python's smtplib", () => {
  test("sends an invitation from Python's smtplib unchanged", async () => {
    const run = promisify(execFile);
    const submit = `
import smtplib, sys
from email.message import EmailMessage
m = EmailMessage()
m['From'] = 'me@main.test'; m['To'] = 'bob@example.org'; m['Subject'] = 'Invitation'
m.set_content('T'); m.add_alternative('<p>H</p>', subtype='html')
m.add_alternative(sys.argv[3], subtype='calendar', params={'method': 'REQUEST'})
with smtplib.SMTP('127.0.0.1', int(sys.argv[1])) as s:
    s.login('any', sys.argv[2]); s.mail('me@main.test'); s.rcpt('bob@example.org'); print(s.data(m.as_bytes())[1].decode())
`;
    const args = ['-c', submit, String(facade.port), team.main.teamKey, CALENDAR];
    const { stdout } = await run(python.module, args);
    const script = `
import email, json, sys
from email import policy
m = email.message_from_bytes(sys.argv[1].encode(), policy=policy.default)
print(json.dumps([[p.get_content_type(), p.get_param('method'), p.get_filename(), p.get_content() if not p.is_multipart() else None] for p in m.walk()]))
`;
    const parts = JSON.parse(
      (await run(python.module, ['-c', script, await deliverAndLoadRaw(parseQueuedId(stdout))])).stdout,
    );
    expect(parts.map(([type, method, name]: string[]) => [type, method, name])).toEqual([
      ['multipart/alternative', null, null],
      ['text/plain', null, null],
      ['text/html', null, null],
      ['text/calendar', 'REQUEST', null],
    ]);
    expect(parts[3][3].replace(/\r\n|\n/g, '\r\n')).toContain(CALENDAR.trim());
  });
});

test('keeps the method of a message that contains only an invitation', async () => {
  const head = 'From: me@main.test\r\nTo: bob@example.org\r\nSubject: s\r\nMIME-Version: 1.0\r\n';
  const mail = {
    envelope: { from: 'me@main.test', to: ['bob@example.org'] },
    raw: `${head}Content-Type: text/calendar; charset=utf-8; method=CANCEL; name=a.ics\r\n\r\n${CALENDAR}`,
  };
  const auth = { user: 'any', pass: team.main.teamKey };
  const response = await sendOverSmtp(facade.port, mail, { auth });
  expect(parseContentTypes(await deliverAndLoadRaw(parseQueuedId(response)))).toEqual([
    'multipart/alternative',
    'text/plain; charset=utf-8',
    'text/calendar; charset=utf-8; method=CANCEL',
  ]);
});
