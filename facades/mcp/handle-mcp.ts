import { AppError } from '../../src/errors.ts';
import { dispatch } from './dispatch.ts';
import { detectEra, type Era, findLegacyHeaderError, getRevision } from './protocol/era.ts';
import { type McpMessage, parseMcpMessage } from './protocol/message.ts';
import { findModernError } from './protocol/modern.ts';
import { type MessageId, RpcError, rpcErrors } from './protocol/rpc-error.ts';
import { buildErrorJson, buildResultJson, type JsonText } from './result.ts';
import type { Session } from './session.ts';

const MAX_BATCH_MESSAGES = 50;

/** `json` is null if all messages were accepted and none needs a response. */
export interface McpResponse {
  status: number;
  json: JsonText | null;
}

/** Handles a whole body: a single message, or a batch, which only legacy clients send. */
export async function handleMcp(
  request: Omit<Session, 'revision'>,
  body: unknown,
  headers: Headers,
): Promise<McpResponse> {
  const era = detectEra(body, headers);
  const session: Session = { ...request, revision: getRevision(era, headers) };
  if (Array.isArray(body)) return handleBatch(session, era, body, headers);
  const { json, error } = await handleMessage(session, era, body, (message) =>
    era === 'modern' ? findModernError(message, headers) : findLegacyHeaderError(body, headers),
  );
  return { status: json === null ? 202 : (error?.status ?? 200), json };
}

async function handleBatch(
  session: Session,
  era: Era,
  body: unknown[],
  headers: Headers,
): Promise<McpResponse> {
  const batchError = findBatchError(era, body) ?? findLegacyHeaderError(body, headers);
  if (batchError) return { status: batchError.status, json: buildErrorJson(null, batchError) };
  const texts: string[] = [];
  // Messages run sequentially, because agents expect them to run in order.
  for (const item of body) {
    if (session.ctx.requestDb.isClientGone()) break;
    const { json } = await handleMessage(session, era, item, findHandshakeError);
    if (json !== null) texts.push(String(json));
  }
  return texts.length > 0 ? { status: 200, json: `[${texts.join(',')}]` } : { status: 202, json: null };
}

function findBatchError(era: Era, body: unknown[]): RpcError | null {
  if (era === 'modern')
    return rpcErrors.invalidRequest('this protocol revision does not support batch requests');
  if (body.length === 0) return rpcErrors.invalidRequest('the batch is empty');
  if (body.length > MAX_BATCH_MESSAGES)
    return rpcErrors.invalidRequest(`a batch may contain at most ${MAX_BATCH_MESSAGES} messages`);
  return null;
}

/** Returns an error for `initialize` in a batch, which revision 2025-03-26 forbids. */
const findHandshakeError = ({ method }: McpMessage): RpcError | null =>
  method === 'initialize' ? rpcErrors.invalidRequest('initialize may not be part of a batch') : null;

async function handleMessage(
  session: Session,
  era: Era,
  value: unknown,
  findError: (message: McpMessage) => RpcError | null,
): Promise<{ json: JsonText | null; error?: RpcError }> {
  let id: MessageId = null;
  try {
    const message = parseMcpMessage(value);
    if (!message) return { json: null };
    id = message.id ?? null;
    const messageError = findError(message);
    if (messageError) throw messageError;
    if (message.id === undefined) return { json: null };
    return { json: buildResultJson(era, id, await dispatch(era, session, message)) };
  } catch (thrown) {
    const error = toProtocolError(session, thrown);
    return { json: buildErrorJson(id ?? error.id, error), error };
  }
}

function toProtocolError({ ctx }: Session, thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof AppError && thrown.kind !== 'INTERNAL')
    return thrown.kind === 'BUSY' ? rpcErrors.busy(thrown.message) : rpcErrors.refused(thrown.message);
  ctx.log.error({ err: thrown, requestId: ctx.requestId }, 'unexpected error');
  return rpcErrors.internal(ctx.requestId);
}
