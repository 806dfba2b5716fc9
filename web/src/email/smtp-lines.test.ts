import { expect, it } from 'vitest';
import { curl } from './curl.ts';
import { LINES, type Submitting } from './smtp-lines.ts';

const given: Submitting = {
  host: 'mail.example.com',
  port: 587,
  isTls: false,
  ownCertificate: false,
  from: 'hello@example.com',
  key: 'KEY',
};

it('each program is told host, port, encryption, key and sender', () => {
  for (const line of Object.values(LINES))
    for (const part of ['mail.example.com', '587', 'KEY', 'hello@example.com'])
      expect(line(given)).toContain(part);
  expect(LINES.nodemailer(given)).toContain('secure: false');
  expect(LINES.nodemailer({ ...given, isTls: true })).toContain('secure: true');
  expect(LINES.smtplib(given)).toContain('smtp.starttls(context=context)');
  expect(LINES.smtplib({ ...given, isTls: true })).toContain(
    'SMTP_SSL("mail.example.com", 587, context=context)',
  );
  expect(LINES.swaks(given)).toContain(' --tls ');
  expect(LINES.swaks({ ...given, isTls: true })).toContain(' --tls-on-connect ');
});

it('a program is told to trust a certificate that the server made for itself', () => {
  expect(LINES.nodemailer({ ...given, ownCertificate: true })).toContain('ca: [certificate]');
  expect(LINES.smtplib({ ...given, ownCertificate: true })).toContain('cafile="smtp.pem"');
  expect(LINES.smtplib(given)).toContain('create_default_context()');
});

it('a call of the API is one command, whatever quotes its words have', () => {
  expect(curl('https://a.example', '/emails', { subject: "it's" }, 'KEY')).toBe(
    [
      'curl https://a.example/api/v1/emails \\',
      "  -H 'Authorization: Bearer KEY' \\",
      "  -H 'Content-Type: application/json' \\",
      "  -d '{",
      String.raw`       "subject": "it'\''s"`,
      "     }'",
    ].join('\n'),
  );
});
