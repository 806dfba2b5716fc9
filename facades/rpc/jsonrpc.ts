import { RawJson } from '../../src/engine/records.ts';
import { AppError } from '../../src/errors.ts';
import { readBody } from '../../src/http.ts';
import { limits } from '../../src/limits.ts';
import { failure, parseEnvelope, parseRequest, success, successText } from './jsonrpc-envelope.ts';
import { callService } from './services.ts';
import type { Visit } from './visit.ts';
import { thrown } from './xmlrpc.ts';

const ACCEPTED = 'application/json, application/json-rpc';

/** `POST /jsonrpc`: the services of XML-RPC in JSON. Errors are HTTP 200 too. */
export async function answerJson(visit: Visit, request: Request): Promise<Response> {
  const text = await bodyText(visit, request, limits.rpcBody);
  if (text instanceof Response) return text;
  const envelope = parseEnvelope(text);
  if (envelope.kind === 'refused') return refused(visit, envelope.status, envelope.text);
  if (envelope.kind === 'failed') return json(visit, failure(envelope.id, envelope.error));
  const { id, service, method, args } = envelope;
  try {
    const { result } = await callService(visit, service, method, args);
    return json(visit, result instanceof RawJson ? successText(id, result.text) : success(id, result));
  } catch (error) {
    return json(visit, failure(id, thrown(visit, error)));
  }
}

/** A JSON-RPC route of its own, without arguments. */
export async function answerRoute(visit: Visit, request: Request, run: () => unknown): Promise<Response> {
  const text = await bodyText(visit, request, limits.rpcSmallBody);
  if (text instanceof Response) return text;
  const envelope = parseRequest(text);
  if (envelope.kind === 'refused') return refused(visit, envelope.status, envelope.text);
  if (envelope.kind === 'failed') return json(visit, failure(envelope.id, envelope.error));
  try {
    return json(visit, success(envelope.id, await run()));
  } catch (error) {
    return json(visit, failure(envelope.id, thrown(visit, error)));
  }
}

/** The body as text, or the answer to a body that is none of ours. */
async function bodyText(visit: Visit, request: Request, most: number): Promise<string | Response> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(-rpc)?\s*(;|$)/i.test(type)) {
    return refused(visit, 415, `Content-Type: ${ACCEPTED} is needed.`, { accept: ACCEPTED });
  }
  let body: Buffer;
  try {
    body = await readBody(request, most);
  } catch (error) {
    if (error instanceof AppError) return refused(visit, error.status, error.message);
    return refused(visit, 400, 'The body could not be read.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return refused(visit, 400, 'Invalid JSON data');
  }
}

function json(visit: Visit, text: string): Response {
  return new Response(text, { headers: headers(visit, 'application/json; charset=utf-8') });
}

function refused(visit: Visit, status: number, text: string, more: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { ...headers(visit, 'text/plain; charset=utf-8'), ...more } });
}

const headers = (visit: Visit, type: string): Record<string, string> => ({
  'content-type': type,
  'x-content-type-options': 'nosniff',
  'x-request-id': visit.requestId,
});
