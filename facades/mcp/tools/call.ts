import { GraphQLInt, getNullableType } from 'graphql';
import { computeListEffects } from '../../../src/engine/access/list-effects.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { OperationEffect } from '../../../src/engine/model/effects.ts';
import { type CallableOperation, callMethod, getOperationAt } from '../../../src/engine/operation/call.ts';
import { getRecordsModel } from '../../../src/engine/operation/record-result.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { isSecretName } from '../../../src/secret-names.ts';
import type { CallEffects } from '../agent/effects.ts';
import { type ArgumentsOf, inputSchema } from '../input-schema.ts';
import { buildConfirmationRequest, defineTool, type ToolResult, toToolResult } from '../tool.ts';
import { outputSchema } from './kit.ts';
import { countReturnedIds, describeRest } from './records.ts';
import { buildListSchema, CONFIRM_SCHEMA, CONFIRMABLE_PROPERTIES, MODEL_SCHEMA } from './schemas.ts';

const INPUT_SCHEMA = inputSchema(
  {
    model: MODEL_SCHEMA,
    method: { type: 'string' },
    ids: { type: 'array', items: { type: 'integer' } },
    args: buildListSchema('Arguments by position, after the ids.', { default: [] }),
    kwargs: { type: 'object', default: {}, description: 'Named arguments.' },
    confirm: CONFIRM_SCHEMA,
  },
  ['model', 'method'],
);

type CallMethodArgs = ArgumentsOf<typeof INPUT_SCHEMA>;

export const callMethodTool = defineTool({
  name: 'call',
  title: 'Call a method',
  description:
    'Calls a public method, such as action_confirm of sale.order. Methods that change data require ' +
    'confirm: true. Records are returned as {model, ids}.',
  inputSchema: INPUT_SCHEMA,
  outputSchema: outputSchema({
    // The result may have any type, which no schema expresses for all clients.
    ...CONFIRMABLE_PROPERTIES,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scope: 'write',
  onlyReads: (ctx, { model, method }) =>
    typeof model === 'string' &&
    typeof method === 'string' &&
    getOperationAt(ctx, model, method).definition.kind === 'query',
  group: 'data',
  method: ({ method }) => (typeof method === 'string' ? method : null),
  effects: computeMethodEffects,
  standsFor: findEquivalentTools,
  logsNoText: true,
  async run({ ctx, args: { model, method, ids, args, kwargs }, confirmed }) {
    const operation = getOperationAt(ctx, model, method);
    const { kind, tool, effects } = operation.definition;
    if (kind === 'mutation' && tool)
      throw errors.user(`The call tool does not support ${method}. Use the ${tool} tool instead.`);
    const names = operation.parameters.map(({ name }) => name);
    const namedArgs: Record<string, unknown> = { ...nameArguments(names, args, kwargs), ...(ids && { ids }) };
    if (kind === 'mutation' && !confirmed)
      return buildOwnConfirmation(
        { call: maskSecrets({ model, method, ids: ids ?? [], args, kwargs }) },
        `call ${model}.${method}, which ${describeEffects(effects)}`,
      );
    const pageSize = getPageSize(operation, namedArgs);
    // One more row shows whether there are more.
    const pageArgs = pageSize === null ? namedArgs : { ...namedArgs, limit: pageSize + 1 };
    const result = await callMethod(ctx, model, method, pageArgs);
    const records = getRecordsModel(operation.definition, model);
    const maxRows = pageSize ?? limits.mcp.rows;
    return toCallResult({ ctx, model, kind, records, names, args: namedArgs, maxRows }, result);
  },
});

interface FinishedCall {
  ctx: Ctx;
  model: string;
  kind: 'query' | 'mutation';
  /** Model of the returned ids. Null if the method returns anything else. */
  records: string | null;
  names: readonly string[];
  args: Record<string, unknown>;
  maxRows: number;
}

async function describeMoreRows(
  { ctx, model, names, args }: FinishedCall,
  rows: readonly unknown[],
): Promise<object> {
  const { domain, offset, context, ids, after } = args;
  if (Array.isArray(ids)) {
    const position = countReturnedIds(ids, rows);
    return { has_more: true, ...(position && { total: ids.length, next_offset: position }) };
  }
  if (!names.includes('offset')) return { has_more: true };
  const end = (Number(offset) || 0) + rows.length;
  // No method counts groups, or only the records after a given one.
  if (!names.includes('domain') || names.includes('groupby') || after)
    return { has_more: true, next_offset: end };
  return describeRest(
    end,
    (limit) =>
      callMethod(ctx, model, 'search_count', { domain: domain ?? [], limit, context }) as Promise<number>,
  );
}

/** Builds a confirmation request that contains only the agent's own input, which is returned unchanged. */
const buildOwnConfirmation = (confirmation: Record<string, unknown>, summary: string): ToolResult => ({
  ...buildConfirmationRequest(confirmation, summary),
  isOurs: true,
});

const maskSecrets = (value: object): object =>
  JSON.parse(JSON.stringify(value, (name, item) => (isSecretName(name) ? '***' : item)));

const describeEffects = (effects: readonly OperationEffect[]): string =>
  effects.map((effect) => EFFECT_WORDS[effect]).join(' and ');

const EFFECT_WORDS: Record<OperationEffect, string> = {
  reads: 'reads',
  writes: 'may change data',
  deletes: 'deletes records',
  sends: 'sends mail',
  grants: 'changes what users may do',
  modules: 'changes apps',
  secret: 'answers with a secret',
};

/**
 * Combines the declared effects of the operation with the effects of record values in its arguments. The changes that
 * the arguments do not reveal are counted when the call runs.
 */
function computeMethodEffects(
  ctx: Ctx,
  { model, method, ids = [], args, kwargs }: CallMethodArgs,
): CallEffects {
  const { effects, kind } = getOperationAt(ctx, model, method).definition;
  if (kind === 'query') return { effects: [...effects], changes: 0 };
  const listed = computeArgumentEffects(ctx, { model, args, kwargs });
  const methodEffects = new Set<OperationEffect>(effects);
  if (computeListEffects(ctx, model, {}, false).sends) methodEffects.add('sends');
  if (listed.deletes) methodEffects.add('deletes');
  const rows = Math.max(1, new Set(ids).size);
  return { effects: [...methodEffects], changes: rows + listed.createdCount + listed.writtenCount };
}

function computeArgumentEffects(
  ctx: Ctx,
  { model, args, kwargs }: Pick<CallMethodArgs, 'model' | 'args' | 'kwargs'>,
) {
  const list = collectValues([kwargs, ...args]).map((values) =>
    computeListEffects(ctx, model, values, false),
  );
  return {
    deletes: list.some((effects) => effects.deletes),
    createdCount: list.reduce((sum, { createdCount }) => sum + createdCount, 0),
    writtenCount: list.reduce((sum, { writtenCount }) => sum + writtenCount, 0),
  };
}

function findEquivalentTools(ctx: Ctx, call: CallMethodArgs): string[] {
  const { tool, kind, effects, standsFor = [] } = getOperationAt(ctx, call.model, call.method).definition;
  const tools = [...(tool ? [tool] : []), ...standsFor];
  if (kind === 'query') return tools;
  const listed = computeArgumentEffects(ctx, call);
  if (listed.deletes || effects.includes('deletes')) tools.push('delete');
  if (listed.createdCount > 0) tools.push('create');
  if (listed.writtenCount > 0) tools.push('update');
  return tools;
}

/**
 * Returns the objects in the arguments that may be record values or their defaults. A list of names, such as the
 * columns of an import, counts as an object with these names.
 */
const collectValues = (value: unknown): object[] => {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string')
      ? [Object.fromEntries(value.map((name) => [name, true]))]
      : value.flatMap(collectValues);
  if (!isObject(value)) return [];
  const defaults = Object.entries(value).map(([name, value]) => [name.replace(/^default_/, ''), value]);
  return [Object.fromEntries(defaults), ...Object.values(value).flatMap(collectValues)];
};

/** @throws BAD_VALUE for too many arguments, or one passed both by position and by name */
function nameArguments(
  names: readonly string[],
  args: readonly unknown[],
  kwargs: Record<string, unknown>,
): Record<string, unknown> {
  if (args.length > names.length)
    throw errors.badValue(
      `The method accepts at most ${names.length} positional arguments: ${names.join(', ') || 'none'}.`,
    );
  const namedArgs = Object.fromEntries(args.map((value, index) => [names[index]!, value]));
  for (const name of Object.keys(namedArgs))
    if (Object.hasOwn(kwargs, name)) throw errors.badValue(`'${name}' is in both args and kwargs.`);
  return { ...kwargs, ...namedArgs };
}

/** Returns the number of rows to return. Null if the method returns no rows or takes no limit. */
function getPageSize({ definition, parameters, type }: CallableOperation, args: Record<string, unknown>) {
  const parameter = parameters.find(({ name }) => name === 'limit');
  if (definition.kind !== 'query' || !parameter || getNullableType(type) === GraphQLInt) return null;
  const limit = Number(args.limit ?? parameter.arg.defaultValue);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, limits.mcp.rows) : limits.mcp.rows;
}

/** Truncates lists in the result to `maxRows`. Returns the same value if none is longer. */
function truncateLists(value: unknown, maxRows: number): unknown {
  if (Array.isArray(value) && value.length > maxRows) return value.slice(0, maxRows);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(
    ([name, value]) => [name, value, truncateLists(value, maxRows)] as const,
  );
  if (parts.every(([, value, short]) => short === value)) return value;
  return Object.fromEntries(parts.map(([name, , short]) => [name, short]));
}

async function toCallResult(call: FinishedCall, value: unknown): Promise<ToolResult> {
  const { kind, records, names, args, maxRows } = call;
  const whole = records === null ? (value instanceof RawJson ? value.value() : value) : [value].flat();
  const ids = args.ids as number[] | undefined;
  const keyedRows = kind === 'query' && ids ? findKeyedRows(whole, ids)?.slice(0, maxRows) : undefined;
  const result = keyedRows
    ? keepKeyedRows(whole as Record<string, unknown>, keyedRows)
    : truncateLists(whole, maxRows);
  const isRefused = isObject(result) && result.ok === false;
  const rows = kind === 'query' ? (keyedRows ?? findRows(result)) : null;
  const members = {
    result: records === null ? (result ?? null) : { model: records, ids: result },
    ...(result !== whole &&
      (kind === 'query' ? await describeMoreRows(call, rows ?? []) : { truncated: true })),
  };
  const counted = rows ?? findChangedIds(call, whole) ?? ids;
  const called = { ...toToolResult(members, isRefused ? 0 : (counted?.length ?? 1)), isError: isRefused };
  if (kind === 'mutation') return called;
  if (Array.isArray(ids) && rows && countReturnedIds(ids, rows) !== null)
    return { ...called, requestedIds: ids };
  return { ...called, offset: names.includes('offset') ? Number(args.offset) || 0 : null };
}

/**
 * Returns the rows of a result that maps ids to values, such as that of get_external_id, in the order of the call's
 * ids. Null for other results.
 */
function findKeyedRows(result: unknown, ids: readonly number[]): { id: number }[] | null {
  if (!isObject(result)) return null;
  const rows = [...new Set(ids)].filter((id) => Object.hasOwn(result, id)).map((id) => ({ id }));
  return rows.length > 0 && rows.length === Object.keys(result).length ? rows : null;
}

/** Returns the same value if it contains only these rows. */
const keepKeyedRows = (result: Record<string, unknown>, rows: readonly { id: number }[]): unknown =>
  rows.length === Object.keys(result).length
    ? result
    : Object.fromEntries(rows.map(({ id }) => [id, result[id]]));

/** Returns the rows of a result: the list itself, or its only list, as in `{length, records}`. Null if it has none. */
function findRows(result: unknown): unknown[] | null {
  if (Array.isArray(result)) return result;
  const lists = isObject(result) ? Object.values(result).filter(Array.isArray) : [];
  return lists.length === 1 ? lists[0]! : null;
}

/** Returns the ids in the result of a method that changes data. Null if it has none. */
function findChangedIds({ records }: FinishedCall, result: unknown): unknown[] | null {
  const ids = isObject(result) ? result.ids : records === null ? null : result;
  return Array.isArray(ids) ? ids : null;
}
