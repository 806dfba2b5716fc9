import { expect, test } from 'vitest';
import { loadMailSource } from '../../../src/message/parse/material.ts';
import { parseMailSource } from '../../../src/message/parse/message.ts';
import { buildRawMail } from './raw-text.ts';

async function parseNames(...parts: string[][]): Promise<(string | null)[]> {
  const lines = parts.flatMap((part) => ['--x', ...part]);
  const raw = buildRawMail(
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    '',
    'Hi',
    ...lines,
    '--x--',
  );
  return parseMailSource(await loadMailSource(raw)).attachments.map(({ filename }) => filename);
}

test.each([
  ['image/png', 'image.png'],
  ['image/jpeg', 'image.jpg'],
  ['image/svg+xml', 'image.svg'],
  ['image/x-unheard-of', 'image'],
  ['audio/mpeg', 'audio.mp3'],
  ['audio/wav', 'audio.wav'],
  ['video/mp4', 'video.mp4'],
  ['video/quicktime', 'video.mov'],
  ['text/calendar; method=REQUEST', 'calendar.ics'],
  ['text/vcard', 'contact.vcf'],
  ['text/csv', 'data.csv'],
  ['text/rfc822-headers', 'headers.txt'],
  ['application/pdf', 'document.pdf'],
  ['application/zip', 'archive.zip'],
  ['application/pgp-signature', 'signature.asc'],
  ['application/pgp-keys', 'key.asc'],
  ['application/pkcs7-signature', 'smime.p7s'],
  ['application/pkcs7-mime; smime-type=signed-data', 'smime.p7m'],
  ['application/ms-tnef', 'winmail.dat'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document.docx'],
  ['message/delivery-status', 'delivery-status.txt'],
  ['message/disposition-notification', 'disposition-notification.txt'],
  ['application/octet-stream', 'attachment'],
  ['constructor/prototype', 'attachment'],
  ['image/jpg', 'image.jpg'],
  ['application/x-7z-compressed', 'archive.7z'],
  ['application/vnd.apple.pkpass', 'pass.pkpass'],
  ['text/x-patch', 'changes.patch'],
])('names a file of type %s without a name %s', async (type, name) => {
  expect(await parseNames([`Content-Type: ${type}`, '', 'x'])).toEqual([name]);
});

test.each([
  ['%PDF-1.7', 'document.pdf'],
  ['PK\x03\x04', 'archive.zip'],
  ['\x1f\x8b', 'archive.gz'],
  ['\x89PNG\r\n', 'image.png'],
  ['GIF89a', 'image.gif'],
  ['\xff\xd8\xff', 'image.jpg'],
  ['RIFF1234WEBP', 'image.webp'],
  ['\0\0\0\x18ftypmp42', 'video.mp4'],
  ['BEGIN:VCALENDAR', 'calendar.ics'],
  ['BEGIN:VCARD', 'contact.vcf'],
  ['-----BEGIN PGP SIGNATURE-----', 'signature.asc'],
  ['<!DOCTYPE html>', 'text.html'],
  ['Received: from a', 'message.eml'],
  ['Hello', 'attachment'],
])('names a file without a name and type by its content %j', async (content, name) => {
  const body = Buffer.from(content, 'latin1').toString('base64');
  const header = ['Content-Transfer-Encoding: base64', 'Content-Disposition: attachment', '', body];
  expect(await parseNames(['Content-Type: application/octet-stream', ...header])).toEqual([name]);
  if (/^image/.test(name))
    expect(await parseNames(['Content-Type: image/x-unheard-of', ...header])).toEqual([name]);
});

test.each([
  ['Subject: Lunch?', 'Lunch_.eml'],
  ['Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße.eml'],
  ['Subject: ../../etc\\passwd', '_.._etc_passwd.eml'],
  ['Subject: ', 'message.eml'],
  ['From: a@x.y', 'message.eml'],
])('names an attached message after its subject: "%s"', async (field, name) => {
  expect(await parseNames(['Content-Type: message/rfc822', '', field, '', 'Subject: of the text'])).toEqual([
    name,
  ]);
});

test('shortens a long subject to a file name', async () => {
  const part = ['Content-Type: message/rfc822', '', `Subject: ${'long '.repeat(100)}`];
  expect(await parseNames(part)).toEqual([`${'long '.repeat(20).trim()}.eml`]);
});

test('numbers generated file names, and keeps names from the sender', async () => {
  const image = ['Content-Type: image/png', '', 'x'];
  const header = ['Content-Type: image/png; name=mine.png', '', 'x'];
  expect(await parseNames(image, header, image)).toEqual(['image.png', 'mine.png', 'image-2.png']);
});

/** Some programs write file names unencoded, in the charset of the text. */
test.each([
  ['windows-1252', 'Größe.pdf', [71, 114, 0xf6, 0xdf, 101]],
  ['koi8-r', 'Отчёт.pdf', [0xef, 0xd4, 0xde, 0xa3, 0xd4]],
  ['shift_jis', '資料.pdf', [0x8e, 0x91, 0x97, 0xbf]],
  ['gbk', '报告.pdf', [0xb1, 0xa8, 0xb8, 0xe6]],
])('decodes unencoded file names in %s with the charset of the text', async (charset, name, bytes) => {
  const rawName = `${Buffer.from(bytes).toString('latin1')}.pdf`;
  const raw = buildRawMail(
    ...[
      `Subject: ${rawName}`,
      `From: ${rawName} <a@b.example>`,
      'Content-Type: multipart/mixed; boundary=x',
      '',
    ],
    ...['--x', `Content-Type: text/plain; charset=${charset}`, '', 'Hi'],
    ...[
      '--x',
      'Content-Type: application/pdf',
      `Content-Disposition: attachment; filename="${rawName}"`,
      '',
      'x',
    ],
    ...['--x', `Content-Type: application/pdf; name="${rawName}"`, '', 'x', '--x--'],
  );
  const mail = parseMailSource(await loadMailSource(raw));
  expect(mail.attachments.map(({ filename }) => filename)).toEqual([name, name]);
  expect(mail.subject).toBe(name);
  expect(mail.from).toEqual([{ name, address: 'a@b.example' }]);
});
