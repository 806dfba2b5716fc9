import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Exchange } from './fixture.ts';
import { type Ids, translate, translatePath } from './ids.ts';
import type { Answer } from './verdict.ts';
import { encodeCall } from './xml.ts';

/** Who sends: where to, under which host name, and what the placeholders of keys and sessions stand for. */
export interface Sender {
  port: number;
  host: string;
  ids: Ids;
  secrets: Record<string, string>;
}

/** Sends a recorded request, translated, and keeps the session an answer may have opened. */
export async function send(exchange: Exchange, sender: Sender): Promise<Answer> {
  const { method, path, headers, body } = requestOf(exchange, sender);
  const answer = await exchangeBytes({ port: sender.port, method, path, headers }, body);
  const opened = exchange.request.endsWith('/web/session/authenticate') && cookieOf(answer);
  if (opened) sender.secrets.SESSION = opened;
  return answer;
}

interface Outgoing {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

function requestOf(exchange: Exchange, { host, ids, secrets }: Sender): Outgoing {
  const [method, path] = exchange.request.split(' ') as [string, string];
  const body = bodyOf(exchange, ids, secrets);
  const headers: Record<string, string> = { host };
  if (body) headers['content-length'] = String(body.length);
  if (body || method === 'POST') headers['content-type'] = exchange.call ? 'text/xml' : 'application/json';
  if (exchange.as) headers.authorization = `bearer ${secrets[exchange.as]}`;
  for (const [name, value] of Object.entries(exchange.headers ?? {})) {
    if (value === null) delete headers[name];
    else headers[name] = String(translate(value, ids, secrets));
  }
  return { method, path: translatePath(path, ids, secrets), headers, body };
}

function bodyOf({ call, params, body, text, spaces }: Exchange, ids: Ids, secrets: Record<string, string>) {
  if (call) return Buffer.from(encodeCall(call, translate(params, ids, secrets) as unknown[]));
  if (body !== undefined) return Buffer.from(JSON.stringify(translate(body, ids, secrets)));
  if (spaces !== undefined) return Buffer.alloc(spaces, ' ');
  return text === undefined ? null : Buffer.from(text);
}

function exchangeBytes(options: RequestOptions, body: Buffer | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', ...options }, (incoming) => {
      read(incoming).then(resolve, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

async function read(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return {
    status: incoming.statusCode!,
    headers: incoming.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function cookieOf(answer: Answer): string | null {
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  for (const cookie of cookies) {
    const token = /^session_id=([^;]+)/.exec(cookie)?.[1];
    if (token) return token;
  }
  return null;
}
