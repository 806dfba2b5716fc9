import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { callMethod, getOperationAt } from '../../src/engine/operation/call.ts';
import { assertIdempotencyKey, computeFingerprint, runOnce } from '../../src/engine/operation/idempotency.ts';
import { RowStream } from '../../src/engine/read/row-stream.ts';
import { encodeLongResult } from '../../src/engine/value/raw-json.ts';
import { createAbortLogger } from '../../src/http/http.ts';
import { formatResult } from '../../src/http/json-api.ts';
import { streamBody } from '../../src/http/stream-body.ts';
import { createKeyForSecretError, createKeyRunningError, createKeyUsedError } from './errors.ts';

interface Json2Call {
  model: string;
  method: string;
  namedArgs: Record<string, unknown>;
}

export interface Json2Response {
  body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** True if the response was stored for an earlier request with the same key. */
  replayed: boolean;
}

/** Runs a call; `ctx` streams long responses. A write with an idempotency key runs once. A read ignores the key. */
export async function executeCall(ctx: Ctx, call: Json2Call, key: string | null): Promise<Json2Response> {
  if (key !== null) assertIdempotencyKey(key);
  const operation = key === null ? null : getOperationAt(ctx, call.model, call.method).definition;
  if (key !== null && operation!.kind === 'mutation') {
    if (operation!.effects.includes('secret')) throw createKeyForSecretError();
    return executeOnce(ctx, call, key);
  }
  const result = await callMethod(ctx, call.model, call.method, call.namedArgs);
  if (!(result instanceof RowStream))
    return { body: (await encodeLongResult(result)) ?? formatResult(result), replayed: false };
  const onCut = createAbortLogger(ctx.runtime, ctx.requestId);
  return { body: await streamBody(result.chunks(), onCut), replayed: false };
}

async function executeOnce(
  ctx: Ctx,
  { model, method, namedArgs }: Json2Call,
  key: string,
): Promise<Json2Response> {
  const claim = { key, hash: computeFingerprint(ctx, model, method, namedArgs) };
  const outcome = await runOnce(ctx, claim, async (tx) => ({
    status: 200,
    body: formatResult(await callMethod(tx, model, method, namedArgs)),
  }));
  if (outcome.kind === 'running') throw createKeyRunningError();
  if (outcome.kind === 'other') throw createKeyUsedError();
  return { body: outcome.body, replayed: outcome.kind === 'repeated' };
}
