import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Desk, SesStandin } from './ses.ts';
import { accountRoute } from './ses-account.ts';
import { type Behaviour, takeBehaviour } from './ses-modes.ts';
import { fault, ok, type Reply } from './ses-reply.ts';
import { sendEmail } from './ses-send.ts';
import { signatureFault } from './sigv4.ts';

const prefix = '/v2/email/';

/** Collects a request's body. */
export function receive(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}

/** Answers one request: SES's own routes when signed, everything else as the stand-in's side door. */
export function serve(
  standin: SesStandin,
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const { method = 'GET', url = '/', headers } = request;
  if (!url.startsWith(prefix)) {
    side(standin, desk, url, body).then(
      (reply) => (typeof reply === 'string' ? response.end(reply) : answer(response, reply)),
      (error: unknown) => answer(response, fault(400, 'BadRequest', String(error))),
    );
    return;
  }
  const bad = desk.keys && signatureFault({ method, url, headers, body }, desk.keys);
  const route = url.slice(prefix.length).split('?')[0] ?? '';
  if (bad) answer(response, fault(403, bad.name, bad.message));
  else if (route === 'outbound-emails' && method === 'POST') send(desk, body, response);
  else
    answer(
      response,
      accountRoute(desk.account, method, route, body) ?? fault(404, 'UnknownOperationException', ''),
    );
}

function send(desk: Desk, body: Buffer, response: ServerResponse): void {
  desk.posts += 1;
  const behaviour = takeBehaviour(desk.account.modes);
  if (breaksBefore(behaviour, response)) return;
  const reply = sendEmail(desk.account, body, desk.keepRaw, (message) => {
    desk.accepted.push(message);
    desk.taken(message);
  });
  if (reply.status === 200 && breaksAfter(behaviour, response)) return;
  const { delayMs, held } = desk.account.modes;
  if (held) held.then(() => answer(response, reply));
  else if (delayMs > 0) setTimeout(() => answer(response, reply), delayMs);
  else answer(response, reply);
}

function breaksBefore(behaviour: Behaviour, response: ServerResponse): boolean {
  if (behaviour === 'reset') response.socket?.resetAndDestroy();
  if (behaviour === 'error-500')
    answer(response, fault(500, 'InternalServiceErrorException', 'Internal failure'));
  if (behaviour === 'garbage') {
    response.writeHead(404, { 'content-type': 'application/xml' }).end('<UnknownOperationException/>');
  }
  return ['reset', 'error-500', 'garbage', 'hang'].includes(behaviour);
}

function breaksAfter(behaviour: Behaviour, response: ServerResponse): boolean {
  if (behaviour === 'reset-after') response.socket?.resetAndDestroy();
  if (behaviour === 'error-500-after')
    answer(response, fault(500, 'InternalServiceErrorException', 'Internal failure'));
  return ['reset-after', 'error-500-after', 'hang-after'].includes(behaviour);
}

/** What is not SES: the certificate, the subscribe link, and the switches for other processes. */
async function side(standin: SesStandin, desk: Desk, path: string, body: Buffer): Promise<Reply | string> {
  const url = new URL(path, standin.url);
  if (url.pathname.endsWith('.pem')) return standin.topic.pem;
  if (url.searchParams.get('Action') !== 'ConfirmSubscription') return admin(standin, url.pathname, body);
  desk.confirmed = desk.token !== null && url.searchParams.get('Token') === desk.token;
  return desk.confirmed ? ok() : fault(400, 'InvalidParameter', 'Invalid token');
}

async function admin(standin: SesStandin, path: string, body: Buffer): Promise<Reply> {
  const input = body.length ? JSON.parse(body.toString()) : {};
  switch (path) {
    case '/standin/messages':
      return ok({
        messages: standin.accepted.map((each) => ({ ...each, raw: each.raw?.toString('base64') ?? null })),
      });
    case '/standin/counts':
      return ok(counts(standin));
    case '/standin/modes':
      standin.set(input.modes ?? {}, input.quota);
      return ok();
    case '/standin/identities':
      standin.verify(input.name, input.verified === false ? 'PENDING' : 'SUCCESS');
      return ok();
    case '/standin/reset':
      standin.reset();
      return ok();
    case '/standin/subscribe':
      return ok({ status: await standin.subscribe(input.url) });
    case '/standin/notify':
      return ok({ status: await standin.notify(input.messageId, input.type, input.options) });
    default:
      return fault(404, 'NotFound', path);
  }
}

function counts(standin: SesStandin): object {
  const { user, system } = process.cpuUsage();
  const distinct = new Set(standin.accepted.map((each) => each.emailId)).size;
  return {
    posts: standin.posts(),
    accepted: standin.accepted.length,
    distinct,
    duplicates: standin.duplicates(),
    cpuMs: (user + system) / 1000,
  };
}

function answer(response: ServerResponse, reply: Reply): void {
  const text = JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(reply.fault ? { 'x-amzn-errortype': reply.fault } : {}),
  });
  response.end(text);
}
