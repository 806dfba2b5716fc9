import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { callMethod, getOperationAt, resolveAliases } from '../../src/engine/operation/call.ts';
import { takesIds } from '../../src/engine/operation/operation.ts';
import { AppError } from '../../src/errors.ts';
import { isObject } from '../../src/json.ts';
import { rpcCallErrors } from './errors.ts';
import type { RpcResult } from './request.ts';

interface MethodCall {
  model: string;
  method: string;
  args: unknown[];
  keywords: Record<string, unknown>;
}

/**
 * Calls a method with positional arguments.
 * @param unknownModel creates the facade's error for an unknown model
 */
export async function callByPosition(
  ctx: Ctx,
  { model, method, args, keywords }: MethodCall,
  unknownModel: (model: string) => Error,
): Promise<RpcResult> {
  const operation = getOperation(ctx, model, method, unknownModel);
  const namedArgs = nameArguments(operation, model, method, args, keywords);
  const result = await callMethod(ctx, model, method, namedArgs);
  return {
    result: method === 'create' ? toCreateResult(namedArgs.vals_list, result) : result,
    model: ctx.catalog.registry.get(model),
  };
}

type Operation = ReturnType<typeof getOperationAt>;

function getOperation(
  ctx: Ctx,
  model: string,
  method: string,
  unknownModel: (model: string) => Error,
): Operation {
  try {
    return getOperationAt(ctx, model, method);
  } catch (error) {
    const isUnknown = error instanceof AppError && error.kind === 'NOT_FOUND_MODEL';
    throw isUnknown ? unknownModel(model) : error;
  }
}

/** Maps positional arguments to names. For a method on records, the ids come first. */
function nameArguments(
  operation: Operation,
  model: string,
  method: string,
  args: unknown[],
  keywords: Record<string, unknown>,
): Record<string, unknown> {
  const namedArgs: Record<string, unknown> = { ...resolveAliases(operation, keywords) };
  const names = operation.parameters.map((parameter) => parameter.name);
  if (takesIds(operation)) names.unshift('ids');
  if (args.length > names.length) throw rpcCallErrors.tooManyArguments(model, method);
  args.forEach((value, index) => {
    const name = names[index]!;
    if (Object.hasOwn(namedArgs, name)) throw rpcCallErrors.givenTwice(name);
    namedArgs[name] = value;
  });
  if (names[0] === 'ids' && !Object.hasOwn(namedArgs, 'ids')) throw rpcCallErrors.noIds(model, method);
  return namedArgs;
}

/** Converts the result of `create`: an id for a single struct, and a list for a list. */
function toCreateResult(values: unknown, result: unknown): unknown {
  return Array.isArray(result) && !Array.isArray(values) ? result[0] : result;
}

// These functions validate client arguments. `method` is used in error messages.

export function getTextParam(params: Record<string, unknown>, name: string, method: string): string {
  const value = params[name];
  if (value === undefined) throw rpcCallErrors.missingParam(name);
  return parseTextArgument(value, name, method);
}

export function parseTextArgument(value: unknown, name: string, method: string): string {
  if (typeof value !== 'string') throw rpcCallErrors.argumentType(method, name, 'a string');
  return value;
}

/** Accepts an empty struct as an empty list, because some client languages do not distinguish them. */
export function parseListArgument(value: unknown, method: string): unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  if (!isEmpty(value)) throw rpcCallErrors.argumentType(method, 'args', 'a list');
  return [];
}

/** Accepts an empty list as an empty struct. */
export function parseStructArgument(value: unknown, method: string, name: string): Record<string, unknown> {
  if (value === undefined || isEmpty(value)) return {};
  if (!isObject(value)) throw rpcCallErrors.argumentType(method, name, 'a struct');
  return value;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
