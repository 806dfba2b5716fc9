export interface SmtpSettings {
  host: string;
  port: number;
  /** True for implicit TLS, false for STARTTLS. */
  isTls: boolean;
  /** True if the server's certificate is self-signed. */
  ownCertificate: boolean;
  from: string;
  key: string;
}

export const SMTP_EXAMPLES: Record<'nodemailer' | 'smtplib' | 'swaks', (settings: SmtpSettings) => string> = {
  nodemailer: ({
    host,
    port,
    isTls,
    ownCertificate,
    from,
    key,
  }) => `import { createTransport } from 'nodemailer';

const transport = createTransport({
  host: '${host}',
  port: ${port},
  secure: ${isTls},
  requireTLS: true,
  auth: { user: 'atrium', pass: '${key}' },${
    ownCertificate ? '\n  tls: { ca: [certificate] }, // the text of smtp.pem' : ''
  }
});
await transport.sendMail({
  from: '${from}',
  to: 'you@example.org',
  subject: 'Hello',
  text: 'It works.',
});`,
  smtplib: ({ host, port, isTls, ownCertificate, from, key }) => `import smtplib
import ssl
from email.message import EmailMessage

message = EmailMessage()
message["From"] = "${from}"
message["To"] = "you@example.org"
message["Subject"] = "Hello"
message.set_content("It works.")

context = ssl.create_default_context(${ownCertificate ? 'cafile="smtp.pem"' : ''})
with smtplib.${isTls ? `SMTP_SSL("${host}", ${port}, context=context)` : `SMTP("${host}", ${port})`} as smtp:
${isTls ? '' : '    smtp.starttls(context=context)\n'}    smtp.login("atrium", "${key}")
    smtp.send_message(message)`,
  swaks: ({
    host,
    port,
    isTls,
    from,
    key,
  }) => `swaks --server ${host} --port ${port} ${isTls ? '--tls-on-connect' : '--tls'} \\
  --auth PLAIN --auth-user atrium --auth-password '${key}' \\
  --from ${from} --to you@example.org \\
  --header 'Subject: Hello' --body 'It works.'`,
};
