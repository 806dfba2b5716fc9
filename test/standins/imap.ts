import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { createSelfSignedCertificate, trustCertificate } from './certificate.ts';

/** For each scripted command in lower case, a function that returns the response, or null to disconnect. */
export type ImapScript = Record<string, (tag: string, args: string) => string | null>;

export interface ImapStandin {
  port: number;
  close(): void;
}

/** An IMAP server on loopback (TLS) whose inbox has one message. It accepts every password and follows the script. */
export async function startImap(script: ImapScript): Promise<ImapStandin> {
  const { privateKey, pem } = createSelfSignedCertificate('localhost');
  const folder = mkdtempSync(join(tmpdir(), 'atrium-imap-'));
  writeFileSync(join(folder, 'cert.pem'), pem);
  const distrust = trustCertificate(join(folder, 'cert.pem'));
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const server = createServer({ key, cert: pem }, (socket) => {
    socket.on('error', () => {});
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    let input = '';
    socket.on('data', (data) => {
      const lines = (input + data).split('\r\n');
      input = lines.pop()!;
      for (const line of lines) respond(socket, line, script);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      distrust();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function respond(socket: TLSSocket, line: string, script: ImapScript): void {
  const [tag = '', command = '', ...args] = line.replace(' UID ', ' ').split(' ');
  const text = args.join(' ').replace(/^UID /, '');
  const scripted = script[command.toLowerCase()];
  const response = scripted ? scripted(tag, text) : buildResponse(tag, command, text);
  if (response === null) socket.end();
  else socket.write(response);
}

function buildResponse(tag: string, command: string, args: string): string {
  const [uid] = args.split(/[ ,:]/);
  const responses: Record<string, string> = {
    LIST: '* LIST () "/" INBOX\r\n',
    EXAMINE: '* 1 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 2]\r\n',
    SEARCH: '* SEARCH 1\r\n',
    FETCH: `* 1 FETCH (UID ${uid === '*' ? 1 : uid} RFC822.SIZE ${MAIL.length} BODY[]<0> {${MAIL.length}}\r\n${MAIL})\r\n`,
  };
  return `${responses[command] ?? ''}${tag} OK done\r\n`;
}

const MAIL = 'From: a@example.org\r\nMessage-ID: <1@standin>\r\nSubject: one\r\n\r\ntext\r\n';
