import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseMail } from '../../src/message/parse/message.ts';
import { toRawMail } from '../../src/message/parse/raw.ts';
import { readReport } from '../../src/message/report/read-report.ts';
import { classifyBounce } from '../../src/message/report/report.ts';

async function parseReport(name: string, folder = 'multipart_report_emails') {
  const path = `../fixtures/mail/corpus/rails-mail/${folder}/${name}.eml`;
  const raw = toRawMail(readFileSync(new URL(path, import.meta.url)));
  return readReport(await parseMail(raw), raw, '');
}

test('parses reports from other mail servers', async () => {
  expect(await parseReport('report_422')).toMatchObject({
    kind: 'delivery',
    recipients: [{ addresses: ['fraser@oooooooo.com.au'], action: 'delayed', status: '4.2.2' }],
  });
  expect(await parseReport('report_530')).toMatchObject({
    kind: 'delivery',
    recipients: [{ addresses: ['edwin@zzzzzzz.com'], action: 'failed', status: '5.3.0' }],
  });
  expect((await parseReport('multi_address_bounce2'))!.recipients).toHaveLength(5);
  expect(await parseReport('japanese_iso_2022', 'multi_charset')).toBeNull();
});

test.each([
  ['5.1.1', '', 'Permanent', 'NoEmail'],
  ['5.1.7', '550 5.1.7 sender', 'Undetermined', 'Undetermined'],
  ['5.0.0', '550 5.1.1 unknown', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 No such user here', 'Permanent', 'NoEmail'],
  ['5.3.0', '554 5.7.1 refused', 'Transient', 'ContentRejected'],
  ['5.2.1', '', 'Permanent', 'General'],
  ['5.2.2', 'user unknown', 'Transient', 'MailboxFull'],
  ['5.3.4', '', 'Transient', 'MessageTooLarge'],
  ['4.4.1', '', 'Transient', 'General'],
  ['5.0.0', 'from 10.5.1.1', 'Undetermined', 'Undetermined'],
  ['5.0.0', '554 rejected for policy reasons', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 no such user, blocked', 'Permanent', 'NoEmail'],
  ['', '', 'Undetermined', 'Undetermined'],
])('classifies status %s (%s) as %s, %s', (status, diagnostic, bounceType, bounceSubType) => {
  const recipient = { addresses: [], action: 'failed' as const, status, diagnostic };
  expect(classifyBounce(recipient)).toEqual({ bounceType, bounceSubType });
});
