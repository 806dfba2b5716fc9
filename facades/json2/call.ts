import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { RowStream } from '../../src/engine/read/row-stream.ts';
import { callMethod, operationAt } from '../../src/engine/verb/call.ts';
import { checkKey, fingerprint, once } from '../../src/engine/verb/idempotency.ts';
import { cutter } from '../../src/http/http.ts';
import { jsonText } from '../../src/http/json-api.ts';
import { streamBody } from '../../src/http/stream-body.ts';
import { longJson } from '../../src/loop/json-turns.ts';
import { keyForSecret, keyRunning, keyUsed } from './refusals.ts';

/** A method of a model, with named arguments. */
export interface Call {
  model: string;
  method: string;
  named: Record<string, unknown>;
}

export interface Json2Answer {
  body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** The request had been answered before, and this is that answer. */
  replayed: boolean;
}

/**
 * The answer to a call, whose `ctx` takes long answers piece by piece. A write with an idempotency key is done once; a
 * read is not bound to one.
 */
export async function answerCall(ctx: Ctx, call: Call, key: string | null): Promise<Json2Answer> {
  if (key !== null) checkKey(key);
  const verb = key === null ? null : operationAt(ctx, call.model, call.method).verb;
  if (key !== null && verb!.kind === 'mutation') {
    if (verb!.effects.includes('secret')) throw keyForSecret();
    return answerOnce(ctx, call, key);
  }
  const result = await callMethod(ctx, call.model, call.method, call.named);
  if (!(result instanceof RowStream))
    return { body: (await longJson(result)) ?? jsonText(result), replayed: false };
  const onCut = cutter(ctx.runtime, ctx.requestId);
  return { body: await streamBody(result.chunks(), onCut), replayed: false };
}

async function answerOnce(ctx: Ctx, { model, method, named }: Call, key: string): Promise<Json2Answer> {
  const claim = { key, hash: fingerprint(ctx, model, method, named) };
  const outcome = await once(ctx, claim, async (tx) => ({
    status: 200,
    body: jsonText(await callMethod(tx, model, method, named)),
  }));
  if (outcome.kind === 'running') throw keyRunning();
  if (outcome.kind === 'other') throw keyUsed();
  return { body: outcome.body, replayed: outcome.kind === 'repeated' };
}
