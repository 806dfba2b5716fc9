import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { createCallerCtx } from '../../src/http/http.ts';

export interface RpcRequest {
  runtime: Runtime;
  requestId: string;
  headers: Headers;
  streaming: boolean;
}

export const createRpcCtx = (visit: RpcRequest, caller: Caller): Ctx =>
  createCallerCtx(visit.runtime, caller, 'rpc', visit.requestId, visit.headers).with({
    streaming: visit.streaming,
  });

/** The model determines the types of the result's numbers. */
export interface RpcResult {
  result: unknown;
  model?: Model | undefined;
}
