import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { createCallerCtx } from '../../src/http/http.ts';

/** One request at a classic door, without its body. */
export interface RpcRequest {
  runtime: Runtime;
  requestId: string;
  headers: Headers;
  /** Whether a long answer may go out piece by piece. */
  streaming: boolean;
}

export const createRpcCtx = (visit: RpcRequest, caller: Caller): Ctx =>
  createCallerCtx(visit.runtime, caller, 'rpc', visit.requestId, visit.headers).with({
    streaming: visit.streaming,
  });

/** A method's result and the model it is of, which determines the types of its numbers. */
export interface RpcResult {
  result: unknown;
  model?: Model | undefined;
}
