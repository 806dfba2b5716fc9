import { expect, it } from 'vitest';
import { buildCurlCommand } from './curl.ts';
import { SMTP_EXAMPLES, type SmtpSettings } from './smtp-examples.ts';

const settings: SmtpSettings = {
  host: 'mail.example.com',
  port: 587,
  isTls: false,
  ownCertificate: false,
  from: 'hello@example.com',
  key: 'KEY',
};

it('each example contains the host, port, encryption, key and sender', () => {
  for (const line of Object.values(SMTP_EXAMPLES))
    for (const part of ['mail.example.com', '587', 'KEY', 'hello@example.com'])
      expect(line(settings)).toContain(part);
  expect(SMTP_EXAMPLES.nodemailer(settings)).toContain('secure: false');
  expect(SMTP_EXAMPLES.nodemailer({ ...settings, isTls: true })).toContain('secure: true');
  expect(SMTP_EXAMPLES.smtplib(settings)).toContain('smtp.starttls(context=context)');
  expect(SMTP_EXAMPLES.smtplib({ ...settings, isTls: true })).toContain(
    'SMTP_SSL("mail.example.com", 587, context=context)',
  );
  expect(SMTP_EXAMPLES.swaks(settings)).toContain(' --tls ');
  expect(SMTP_EXAMPLES.swaks({ ...settings, isTls: true })).toContain(' --tls-on-connect ');
});

it("an example trusts the server's self-signed certificate", () => {
  expect(SMTP_EXAMPLES.nodemailer({ ...settings, ownCertificate: true })).toContain('ca: [certificate]');
  expect(SMTP_EXAMPLES.smtplib({ ...settings, ownCertificate: true })).toContain('cafile="smtp.pem"');
  expect(SMTP_EXAMPLES.smtplib(settings)).toContain('create_default_context()');
});

it('escapes quotes in a shell command for an API call', () => {
  expect(buildCurlCommand('https://a.example', '/emails', { subject: "it's" }, 'KEY')).toBe(
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
