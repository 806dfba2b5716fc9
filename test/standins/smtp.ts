import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** `drop-after` closes the connection after receiving the message and before responding. */
export type SmtpBehavior =
  | 'accept'
  | 'tempfail'
  | 'permfail'
  | 'tempfail-data'
  | 'permfail-data'
  | 'drop'
  | 'drop-after'
  | 'hang-after';

export interface ReceivedMessage {
  from: string;
  recipients: string[];
  raw: Buffer;
  /** ENVID (RFC 3461). Null if not given. */
  envelopeId: string | null;
}

export interface SmtpStandin {
  url: string;
  received: ReceivedMessage[];
  connections(): number;
  set(behavior: SmtpBehavior): void;
  /** Replies by address, to a sender at MAIL FROM or a recipient at RCPT TO. */
  refuse: Map<string, { code: number; text: string }>;
  close(): Promise<void>;
}

/**
 * An SMTP server on loopback that stores received messages and fails on demand.
 * @param password required for sign-in; if omitted, no sign-in is necessary
 */
export async function startSmtp(password?: string): Promise<SmtpStandin> {
  const receivedMessages: ReceivedMessage[] = [];
  const refuse = new Map<string, { code: number; text: string }>();
  let behavior: SmtpBehavior = 'accept';
  let connections = 0;
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: password === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    onAuth(credentials, _session, callback) {
      callback(credentials.password === password ? null : buildReplyError(535, '5.7.8 wrong password'), {
        user: credentials.username,
      });
    },
    disableReverseLookup: true,
    hideDSN: false,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onMailFrom(address, _session, callback) {
      const fault = refuse.get(address.address);
      callback(fault ? buildReplyError(fault.code, fault.text) : undefined);
    },
    onRcptTo(address, _session, callback) {
      const fault = refuse.get(address.address);
      if (fault) return callback(buildReplyError(fault.code, fault.text));
      if (behavior === 'tempfail') return callback(buildReplyError(451, '4.7.1 try again later'));
      if (behavior === 'permfail') return callback(buildReplyError(550, '5.1.1 user unknown'));
      if (behavior === 'drop') return destroyConnections(server);
      callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        if (behavior === 'tempfail-data') return callback(buildReplyError(452, '4.3.1 no space'));
        if (behavior === 'permfail-data') return callback(buildReplyError(554, '5.6.0 content refused'));
        const { rcptTo, dsn } = session.envelope as typeof session.envelope & {
          dsn?: { envid: string | null };
        };
        const recipients = rcptTo.map((item) => item.address);
        receivedMessages.push({ from, recipients, raw, envelopeId: dsn?.envid ?? null });
        if (behavior === 'drop-after') return destroyConnections(server);
        if (behavior !== 'hang-after') callback();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: receivedMessages,
    refuse,
    connections: () => connections,
    set: (next) => {
      behavior = next;
    },
    close: () =>
      new Promise((closed) => {
        destroyConnections(server);
        server.close(() => closed());
      }),
  };
}

function buildReplyError(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** smtp-server stores its connections in a set, but its types do not expose the sockets. */
function destroyConnections(server: SMTPServer): void {
  for (const connection of server.connections as Set<{ _socket: { destroy(): void } }>)
    connection._socket.destroy();
}
