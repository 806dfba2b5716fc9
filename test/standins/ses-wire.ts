import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SesStandin, SesState } from './ses.ts';
import { routeAccount } from './ses-account.ts';
import { type Behavior, consumeBehavior } from './ses-modes.ts';
import { buildOkReply, fault, type Reply } from './ses-reply.ts';
import { sendEmail } from './ses-send.ts';
import { findSignatureFault } from './sigv4.ts';

const PREFIX = '/v2/email/';

export function readBody(request: IncomingMessage, onDone: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onDone(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}

/** Serves signed requests as SES, and all other requests as the control interface of the stand-in. */
export function serveRequest(
  standin: SesStandin,
  state: SesState,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const { method = 'GET', url = '/', headers } = request;
  if (!url.startsWith(PREFIX)) {
    handleControl(standin, state, url, body).then(
      (reply) => (typeof reply === 'string' ? response.end(reply) : sendReply(response, reply)),
      (error: unknown) => sendReply(response, fault(400, 'BadRequest', String(error))),
    );
    return;
  }
  const signatureError = state.keys && findSignatureFault({ method, url, headers, body }, state.keys);
  const route = url.slice(PREFIX.length).split('?')[0] ?? '';
  if (signatureError) sendReply(response, fault(403, signatureError.name, signatureError.message));
  else if (route === 'outbound-emails' && method === 'POST') handleSend(state, body, response);
  else
    sendReply(
      response,
      routeAccount(state.account, method, route, body) ?? fault(404, 'UnknownOperationException', ''),
    );
}

function handleSend(state: SesState, body: Buffer, response: ServerResponse): void {
  state.posts += 1;
  const behavior = consumeBehavior(state.account.modes);
  if (failBefore(behavior, response)) return;
  const reply = sendEmail(state.account, body, state.keepRaw, (message) => {
    state.accepted.push(message);
    state.onAccepted(message);
  });
  if (reply.status === 200 && failAfter(behavior, response)) return;
  const { delayMs, hold } = state.account.modes;
  if (hold) hold.then(() => sendReply(response, reply));
  else if (delayMs > 0) setTimeout(() => sendReply(response, reply), delayMs);
  else sendReply(response, reply);
}

function failBefore(behavior: Behavior, response: ServerResponse): boolean {
  if (behavior === 'reset') response.socket?.resetAndDestroy();
  if (behavior === 'error-500')
    sendReply(response, fault(500, 'InternalServiceErrorException', 'Internal failure'));
  if (behavior === 'garbage') {
    response.writeHead(404, { 'content-type': 'application/xml' }).end('<UnknownOperationException/>');
  }
  return ['reset', 'error-500', 'garbage', 'hang'].includes(behavior);
}

function failAfter(behavior: Behavior, response: ServerResponse): boolean {
  if (behavior === 'reset-after') response.socket?.resetAndDestroy();
  if (behavior === 'error-500-after')
    sendReply(response, fault(500, 'InternalServiceErrorException', 'Internal failure'));
  return ['reset-after', 'error-500-after', 'hang-after'].includes(behavior);
}

/**
 * Routes outside of SES: the certificate, the subscription confirmation and the control interface for other processes.
 */
async function handleControl(
  standin: SesStandin,
  state: SesState,
  path: string,
  body: Buffer,
): Promise<Reply | string> {
  const url = new URL(path, standin.url);
  if (url.pathname.endsWith('.pem')) return standin.topic.pem;
  if (url.searchParams.get('Action') !== 'ConfirmSubscription')
    return handleAdmin(standin, url.pathname, body);
  state.confirmed = state.token !== null && url.searchParams.get('Token') === state.token;
  return state.confirmed ? buildOkReply() : fault(400, 'InvalidParameter', 'Invalid token');
}

async function handleAdmin(standin: SesStandin, path: string, body: Buffer): Promise<Reply> {
  const input = body.length ? JSON.parse(body.toString()) : {};
  switch (path) {
    case '/standin/messages':
      return buildOkReply({
        messages: standin.accepted.map((item) => ({ ...item, raw: item.raw?.toString('base64') ?? null })),
      });
    case '/standin/counts':
      return buildOkReply(getCounts(standin));
    case '/standin/modes':
      standin.set(input.modes ?? {}, input.quota);
      return buildOkReply();
    case '/standin/identities':
      standin.verify(input.name, input.verified === false ? 'PENDING' : 'SUCCESS');
      return buildOkReply();
    case '/standin/reset':
      standin.reset();
      return buildOkReply();
    case '/standin/subscribe':
      return buildOkReply({ status: await standin.subscribe(input.url) });
    case '/standin/notify':
      return buildOkReply({ status: await standin.notify(input.messageId, input.type, input.options) });
    default:
      return fault(404, 'NotFound', path);
  }
}

function getCounts(standin: SesStandin): object {
  const { user, system } = process.cpuUsage();
  const distinct = new Set(standin.accepted.map((item) => item.emailId)).size;
  return {
    posts: standin.posts(),
    accepted: standin.accepted.length,
    distinct,
    duplicates: standin.duplicates(),
    cpuMs: (user + system) / 1000,
  };
}

function sendReply(response: ServerResponse, reply: Reply): void {
  const text = JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(reply.fault ? { 'x-amzn-errortype': reply.fault } : {}),
  });
  response.end(text);
}
