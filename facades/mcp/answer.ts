import { AppError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { dispatch } from './dispatch.ts';
import { type Era, eraOf, legacyHeaderMistake, revisionOf } from './protocol/era.ts';
import { type McpMessage, mcpMessageOf } from './protocol/message.ts';
import { modernMistake } from './protocol/modern.ts';
import { type MessageId, RpcError, rpcErrors } from './protocol/rpc-error.ts';
import { errorText, type Json, resultJson } from './reply.ts';
import type { Session } from './session.ts';

/** An answer to a body; null: everything in it was accepted and nothing asked for an answer. */
export interface McpAnswer {
  status: number;
  json: Json | null;
}

/** Answers a whole body: one message, or a batch as only legacy clients send it. */
export async function answerMcp(
  request: Omit<Session, 'revision'>,
  body: unknown,
  headers: Headers,
): Promise<McpAnswer> {
  const era = eraOf(body, headers);
  const session: Session = { ...request, revision: revisionOf(era, headers) };
  if (Array.isArray(body)) return answerBatch(session, era, body, headers);
  const { json, error } = await answerOne(session, era, body, (message) =>
    era === 'modern' ? modernMistake(message, headers) : legacyHeaderMistake(body, headers),
  );
  return { status: json === null ? 202 : (error?.status ?? 200), json };
}

async function answerBatch(
  session: Session,
  era: Era,
  body: unknown[],
  headers: Headers,
): Promise<McpAnswer> {
  const mistake = batchMistake(era, body) ?? legacyHeaderMistake(body, headers);
  if (mistake) return { status: mistake.status, json: errorText(null, mistake) };
  const texts: string[] = [];
  // One after the other: an agent expects the order it wrote.
  for (const item of body) {
    // The client has hung up: the rest is not begun.
    if (session.ctx.requestDb.isClientGone()) break;
    const { json } = await answerOne(session, era, item, openingMistake);
    if (json !== null) texts.push(String(json));
  }
  return texts.length > 0 ? { status: 200, json: `[${texts.join(',')}]` } : { status: 202, json: null };
}

/** Why a batch is refused as a whole. Pure. */
function batchMistake(era: Era, body: unknown[]): RpcError | null {
  if (era === 'modern') return rpcErrors.invalidRequest('this revision has no batches');
  if (body.length === 0) return rpcErrors.invalidRequest('an empty batch');
  if (body.length > limits.mcp.batch)
    return rpcErrors.invalidRequest(`a batch holds at most ${limits.mcp.batch} messages`);
  return null;
}

/** The handshake stands alone (revision 2025-03-26). */
const openingMistake = ({ method }: McpMessage): RpcError | null =>
  method === 'initialize' ? rpcErrors.invalidRequest('initialize may not be part of a batch') : null;

async function answerOne(
  session: Session,
  era: Era,
  value: unknown,
  mistakeOf: (message: McpMessage) => RpcError | null,
): Promise<{ json: Json | null; error?: RpcError }> {
  let id: MessageId = null;
  try {
    const message = mcpMessageOf(value);
    if (!message) return { json: null };
    id = message.id ?? null;
    const mistake = mistakeOf(message);
    if (mistake) throw mistake;
    if (message.id === undefined) return { json: null };
    return { json: resultJson(era, id, await dispatch(era, session, message)) };
  } catch (thrown) {
    const error = protocolError(session, thrown);
    return { json: errorText(id ?? error.id, error), error };
  }
}

function protocolError({ ctx }: Session, thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof AppError && thrown.kind !== 'INTERNAL')
    return thrown.kind === 'BUSY' ? rpcErrors.busy(thrown.message) : rpcErrors.refused(thrown.message);
  ctx.log.error({ err: thrown, requestId: ctx.requestId }, 'unexpected error');
  return rpcErrors.internal(ctx.requestId);
}
