import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Exchange } from './fixture.ts';
import { type Ids, translate, translatePath } from './ids.ts';
import type { ReplayResponse } from './verdict.ts';
import { encodeCall } from './xml.ts';

export interface Sender {
  port: number;
  host: string;
  ids: Ids;
  secrets: Record<string, string>;
}

/** Sends a translated request, and stores the session if the response opens one. */
export async function sendExchange(exchange: Exchange, sender: Sender): Promise<ReplayResponse> {
  const { method, path, headers, body } = buildRequest(exchange, sender);
  const response = await sendBytes({ port: sender.port, method, path, headers }, body);
  const opened = exchange.request.endsWith('/web/session/authenticate') && findSessionCookie(response);
  if (opened) sender.secrets.SESSION = opened;
  return response;
}

interface OutgoingRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

function buildRequest(exchange: Exchange, { host, ids, secrets }: Sender): OutgoingRequest {
  const [method, path] = exchange.request.split(' ') as [string, string];
  const body = buildBody(exchange, ids, secrets);
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

function buildBody(
  { call, params, body, text, spaces }: Exchange,
  ids: Ids,
  secrets: Record<string, string>,
) {
  if (call) return Buffer.from(encodeCall(call, translate(params, ids, secrets) as unknown[]));
  if (body !== undefined) return Buffer.from(JSON.stringify(translate(body, ids, secrets)));
  if (spaces !== undefined) return Buffer.alloc(spaces, ' ');
  return text === undefined ? null : Buffer.from(text);
}

function sendBytes(options: RequestOptions, body: Buffer | null): Promise<ReplayResponse> {
  return new Promise((resolve, reject) => {
    const outgoingRequest = request({ host: '127.0.0.1', ...options }, (incomingMessage) => {
      readResponse(incomingMessage).then(resolve, reject);
    });
    outgoingRequest.on('error', reject);
    outgoingRequest.end(body ?? undefined);
  });
}

async function readResponse(incomingMessage: IncomingMessage): Promise<ReplayResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of incomingMessage) chunks.push(chunk);
  return {
    status: incomingMessage.statusCode!,
    headers: incomingMessage.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function findSessionCookie(response: ReplayResponse): string | null {
  const cookies = [response.headers['set-cookie'] ?? []].flat();
  for (const cookie of cookies) {
    const token = /^session_id=([^;]+)/.exec(cookie)?.[1];
    if (token) return token;
  }
  return null;
}
