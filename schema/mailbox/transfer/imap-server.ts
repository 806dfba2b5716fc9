import { builder } from '../../../src/engine/operation/builder.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';
import { ImapError } from './imap-error.ts';

/** Maximum length of a user name or a password. */
const MAX_CREDENTIAL_CHARS = 512;

const IMAP_HOSTS: Readonly<Record<string, string>> = {
  gmail: 'imap.gmail.com',
  outlook: 'outlook.office365.com',
  yahoo: 'imap.mail.yahoo.com',
  icloud: 'imap.mail.me.com',
  fastmail: 'imap.fastmail.com',
};

export const ImapAccountInput = builder.inputType('MailImapAccount', {
  description:
    'Sign-in to a mailbox on another mail server. If a job needs the password, it is stored ' +
    'encrypted until the job ends. Otherwise, it is not stored.',
  fields: (t) => ({
    provider: t.string({
      description: `One of ${Object.keys(IMAP_HOSTS).join(', ')}, or \`custom\`, which requires \`host\`.`,
    }),
    host: t.string({ description: 'Host name of the IMAP server.' }),
    port: t.int({
      description: 'Port, 993 by default. Port 143 is upgraded to TLS before the password is sent.',
    }),
    username: t.string({ required: true, description: 'User name, often the email address.' }),
    password: t.string({ required: true, description: 'Password, or an app password.' }),
  }),
});

export interface ImapServer {
  provider: string;
  host: string;
  port: number;
  username: string;
  password: string;
}

/** @throws ImapError `bad_value` */
export function parseImapServer(conn: typeof ImapAccountInput.$inferInput): ImapServer {
  const provider = conn.provider || 'custom';
  const host = (IMAP_HOSTS[provider] ?? conn.host ?? '').trim();
  if (provider !== 'custom' && !IMAP_HOSTS[provider])
    throw new ImapError(
      'bad_value',
      `conn.provider: expected one of ${Object.keys(IMAP_HOSTS).join(', ')}, custom.`,
    );
  if (!/^(?:[a-z0-9_.-]{1,253}|[0-9a-f:.]{2,45})$/i.test(host))
    throw new ImapError('bad_value', 'conn.host: expected the name of a mail server.');
  const port = conn.port ?? 993;
  if (port < 1 || port > 65_535)
    throw new ImapError('bad_value', 'conn.port: expected a number from 1 to 65535.');
  const { username, password } = conn;
  for (const [name, value] of Object.entries({ username, password }))
    if (value === '' || value.length > MAX_CREDENTIAL_CHARS || hasControlCharacter(value))
      throw new ImapError('bad_value', `conn.${name}: expected 1 to ${MAX_CREDENTIAL_CHARS} characters.`);
  return { provider, host, port, username, password };
}
