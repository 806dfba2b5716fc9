import { afterChange } from '../../src/engine/ctx/after-change.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { callNamed } from '../../src/engine/verb/call.ts';
import { type CallLog, callLine } from '../../src/engine/verb/call-log.ts';
import { AppError } from '../../src/errors.ts';
import { answerable } from '../../src/http/http.ts';
import { isObject } from '../../src/json.ts';
import type { McpMessage } from './message.ts';
import { type Result, toolFailure, toolSuccess } from './reply.ts';
import { RpcError, rpcErrors } from './rpc-error.ts';
import { checkedArguments, type Shaped, type Tool } from './tool.ts';
import { tools } from './tools/index.ts';

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/**
 * `tools/call`. Whatever becomes of the call, its line is in svc.mcp.log before it is answered; a call whose line
 * cannot be written fails.
 * @throws RpcError -32602 for an unknown tool
 */
export async function callTool(ctx: Ctx, log: CallLog, { params }: McpMessage): Promise<Result> {
  const started = performance.now();
  const tool = typeof params.name === 'string' ? byName.get(params.name) : undefined;
  const outcome = await attempt(ctx, tool, params);
  const line = callLine(ctx, {
    tool: typeof params.name === 'string' ? params.name : '',
    modelName: modelOf(params.arguments),
    method: tool?.method ?? null,
    error: outcome instanceof Error ? loggedMessage(ctx, outcome) : null,
    arguments: params.arguments,
    recordCount: outcome instanceof Error ? 0 : outcome.count,
    durationMs: performance.now() - started,
  });
  try {
    await log.write(line);
  } catch (error) {
    return toolFailure(answerable(ctx.runtime, afterChange(ctx, error), ctx.requestId).message);
  }
  if (outcome instanceof RpcError) throw outcome;
  if (outcome instanceof Error) return toolFailure(answerable(ctx.runtime, outcome, ctx.requestId).message);
  return toolSuccess(outcome.text);
}

async function attempt(
  ctx: Ctx,
  tool: Tool | undefined,
  params: McpMessage['params'],
): Promise<Shaped | Error> {
  try {
    return await run(ctx, tool, params);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function run(ctx: Ctx, tool: Tool | undefined, params: McpMessage['params']): Promise<Shaped> {
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string') throw rpcErrors.invalidParams('name must be text');
  if (!tool) throw rpcErrors.invalidParams(`there is no tool ${JSON.stringify(name.slice(0, 100))}`);
  if (!isObject(given)) throw rpcErrors.invalidParams('arguments must be an object');
  const { verb, variables } = tool.toVerb(checkedArguments(tool, given));
  return tool.shape(await callNamed(ctx, verb, variables));
}

function modelOf(given: unknown): string | null {
  return isObject(given) && typeof given.model === 'string' ? given.model : null;
}

const loggedMessage = (ctx: Ctx, error: Error): string =>
  error instanceof AppError || error instanceof RpcError
    ? error.message
    : `unexpected, see request ${ctx.requestId}`;
