import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { toFinalError } from '../../src/engine/ctx/final-error.ts';
import { buildCallLogEntry, type CallOutcome } from '../../src/engine/operation/call-log.ts';
import { errors } from '../../src/errors.ts';
import { findAppError, toPublicError } from '../../src/http/http.ts';
import { isObject } from '../../src/json.ts';
import { type TraceSpan, tracing } from '../../src/trace.ts';
import { buildAdvice } from './advice.ts';
import { countCall } from './agent/allows-resource.ts';
import { findClientName } from './agent/client-name.ts';
import { getCallEffects } from './agent/expected-usage.ts';
import { type GuardedCall, runGuardedCall } from './agent/guard.ts';
import { allowsTool } from './agent/tool-filter.ts';
import { parseArguments, readArguments } from './arguments.ts';
import { createOffsetPaging, fitResult, type ResultPaging } from './budget.ts';
import type { McpMessage } from './protocol/message.ts';
import type { Revision } from './protocol/revisions.ts';
import { RpcError, rpcErrors } from './protocol/rpc-error.ts';
import { buildToolFailure, buildToolSuccess, type McpResult } from './result.ts';
import { checkScope } from './scope.ts';
import type { Session } from './session.ts';
import { narrowToCall, type Tool, type ToolResult, validateArguments } from './tool.ts';
import { hasRole, hasScope, ROLE_DESCRIPTIONS } from './tool-roles.ts';
import { countReturnedIds } from './tools/records.ts';
import { maskLinks, removeHiddenText, sanitizeResult } from './untrusted.ts';

/**
 * Handles `tools/call`. Writes a row to svc.mcp.log before it responds, regardless of the outcome. A call fails if its
 * row cannot be written.
 * @throws RpcError -32602 for an unknown tool
 */
export async function callTool(session: Session, message: McpMessage): Promise<McpResult> {
  const { ctx, revision } = session;
  const params: McpMessage['params'] = {
    ...message.params,
    arguments: parseArguments(message.params.arguments),
  };
  const { name } = params;
  const tool = typeof name === 'string' ? session.registry.byName.get(name) : undefined;
  const runCall = () =>
    withCallLog(session, tool, params, (onAgent) => runToolCall(session, tool, params, onAgent));
  const outcome = await (tracing.now
    ? tracing.now.runSpan(buildTracedWork(tool, params), runCall)
    : runCall());
  if (outcome instanceof RpcError) throw outcome;
  if (outcome instanceof Error) {
    const publicError = toPublicError(ctx.runtime, outcome, ctx.requestId);
    const advice = buildAdvice(ctx, publicError);
    return buildToolFailure(
      advice ? `${publicError.message.replace(/[^.?!)]$/, '$&.')}${advice}` : publicError.message,
    );
  }
  const result = tool!.isOurs || outcome.isOurs ? outcome : await cleanResult(ctx, tool!, params, outcome);
  const isWhole = tool!.limitsText || result.input !== undefined;
  return buildToolSuccess(
    revision,
    isWhole ? result : fitResult(result, getResultPaging(tool!, params.arguments, outcome)),
  );
}

/** Results of mail tools are already text, and designers write the markup of websites. */
async function cleanResult(
  ctx: Ctx,
  { group }: Tool,
  params: McpMessage['params'],
  result: ToolResult,
): Promise<ToolResult> {
  const model = ctx.catalog.registry.get(getModelName(params.arguments) ?? '');
  if (group !== 'data') return sanitizeResult(result);
  const hasMarkup = model?.options.group === 'website';
  return sanitizeResult(maskLinks(hasMarkup ? result : await removeHiddenText(ctx.workspace.id, result)));
}

function getResultPaging(
  { inputSchema, scope }: Tool,
  given: unknown,
  { offset, requestedIds }: ToolResult,
): ResultPaging {
  if (requestedIds)
    return {
      offset: 0,
      total: requestedIds.length,
      isReport: false,
      getNextOffset: (rows) => countReturnedIds(requestedIds, rows),
    };
  const isPaged = 'offset' in (inputSchema as { properties: object }).properties;
  const skipped = Number(offset ?? (isPaged && isObject(given) ? given.offset : 0));
  const paging = createOffsetPaging(Number.isSafeInteger(skipped) && skipped > 0 ? skipped : 0);
  if (offset === undefined ? isPaged : offset !== null) return paging;
  return { ...paging, getNextOffset: () => null, isReport: scope === 'write' && offset === undefined };
}

function buildTracedWork(tool: Tool | undefined, { _meta: meta }: McpMessage['params']): TraceSpan {
  const from = isObject(meta) && typeof meta.traceparent === 'string' ? meta.traceparent : null;
  return { name: `tool ${tool?.name ?? 'unknown'}`, attributes: { 'mcp.tool': tool?.name ?? '' }, from };
}

/**
 * Runs a call and writes its log row.
 * @returns the call's result
 * @throws the call's error, or the log's error if logging fails
 */
export async function withCallLog(
  session: Pick<Session, 'ctx' | 'log' | 'userAgent'> & { revision: Revision | null },
  tool: Tool | undefined,
  params: McpMessage['params'],
  runCall: (onAgent: (agentId: number) => void) => Promise<ToolResult>,
): Promise<ToolResult | Error> {
  const { ctx, log, revision, userAgent } = session;
  const startTime = performance.now();
  let agentId: number | null = null;
  const outcome = await catchError(() =>
    runCall((id) => {
      agentId = id;
    }),
  );
  const entry = buildCallLogEntry(ctx, {
    tool: typeof params.name === 'string' ? params.name : '',
    modelName: getModelName(params.arguments),
    method: getMethodName(tool, params.arguments),
    error: outcome instanceof Error ? getLogMessage(ctx, outcome) : null,
    arguments: params.arguments,
    textless: tool?.logsNoText === true,
    recordCount: outcome instanceof Error ? 0 : outcome.count,
    durationMs: performance.now() - startTime,
    agentId,
    clientName: findClientName(params, userAgent)?.text ?? null,
    revision,
    outcome: getCallOutcome(outcome),
    undoToken: outcome instanceof Error ? null : (outcome.undoToken ?? null),
    durable: tool?.scope === 'write',
  });
  try {
    await log.write(entry);
  } catch (error) {
    return toFinalError(ctx, error) as Error;
  }
  return outcome;
}

function getCallOutcome(outcome: ToolResult | Error): CallOutcome {
  if (outcome instanceof Error) return 'refused';
  if (outcome.isHeld) return 'held';
  return outcome.confirmation ? 'asked' : 'done';
}

async function catchError(runCall: () => Promise<ToolResult>): Promise<ToolResult | Error> {
  try {
    return await runCall();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function runToolCall(
  session: Session,
  tool: Tool | undefined,
  params: McpMessage['params'],
  onAgent: (agentId: number) => void,
): Promise<ToolResult> {
  let preparedCall: PreparedCall;
  try {
    preparedCall = prepareCall(session, tool, params);
  } catch (error) {
    onAgent((await countCall(session, { method: 'tools/call', params })).agentId);
    throw error;
  }
  return addIgnoredArguments(preparedCall.ignored, await runGuardedCall(preparedCall, onAgent));
}

interface PreparedCall extends GuardedCall {
  ignored: readonly string[];
}

/** Checks the call before it is counted. @throws AppError, RpcError */
function prepareCall(session: Session, tool: Tool | undefined, params: McpMessage['params']): PreparedCall {
  const { ctx } = session;
  const { name } = params;
  const rawArguments = params.arguments;
  if (typeof name !== 'string') throw rpcErrors.invalidParams('name must be a string');
  if (!tool) throw rpcErrors.unknownTool(name.slice(0, 100), session.registry.tools);
  if (!isObject(rawArguments)) throw rpcErrors.invalidParams('arguments must be an object');
  const calledTool = narrowToCall(tool, rawArguments);
  if (!allowsTool(session.narrowing, calledTool))
    throw errors.notAllowed(
      `This connection does not allow the tool ${name}. Call tools/list to see the allowed tools.`,
    );
  checkCaller(ctx, calledTool);
  const { args: parsedArguments, ignored } = readArguments(
    calledTool,
    rawArguments,
    calledTool.scope === 'read' || calledTool.onlyReads?.(ctx, rawArguments) === true,
  );
  const args = validateArguments(tool, parsedArguments);
  checkEquivalentTools(session, calledTool, args);
  const effects = getCallEffects(ctx, { tool: calledTool, args });
  return { session, tool: calledTool, args, params, effects, ignored };
}

const addIgnoredArguments = (ignored: readonly string[], result: ToolResult): ToolResult =>
  ignored.length === 0
    ? result
    : { ...result, text: `${result.text.slice(0, -1)},"ignored_arguments":${JSON.stringify(ignored)}}` };

/** @throws NOT_ALLOWED if the call is equivalent to a tool that the connection does not expose */
function checkEquivalentTools(
  { ctx, registry, narrowing }: Session,
  tool: Tool,
  args: Record<string, unknown>,
): void {
  for (const name of tool.standsFor?.(ctx, args) ?? []) {
    const other = registry.byName.get(name);
    if (other && !allowsTool(narrowing, other))
      throw errors.notAllowed(
        `This call is equivalent to the tool ${name}, which this connection does not allow.`,
      );
  }
}

export function checkCaller({ principal }: Ctx, tool: Tool): void {
  const { role } = tool;
  checkScope(principal!, tool);
  if (!hasScope(principal!, tool.scope)) throw errors.scopeNeeded(tool.scope);
  if (role && !hasRole(principal!, role))
    throw errors.notAllowed(`This call requires ${ROLE_DESCRIPTIONS[role]}.`);
}

function getMethodName(tool: Tool | undefined, args: unknown): string | null {
  if (typeof tool?.method !== 'function') return tool?.method ?? null;
  return isObject(args) ? tool.method(args) : null;
}

function getModelName(args: unknown): string | null {
  return isObject(args) && typeof args.model === 'string' ? args.model : null;
}

const getLogMessage = (ctx: Ctx, error: Error): string =>
  error instanceof RpcError
    ? error.message
    : (findAppError(ctx.runtime, error)?.message ?? `unexpected, see request ${ctx.requestId}`);
