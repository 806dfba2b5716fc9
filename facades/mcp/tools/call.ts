import { computeListEffects } from '../../../src/engine/access/list-effects.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { OperationEffect } from '../../../src/engine/model/effects.ts';
import { callMethod, getOperationAt } from '../../../src/engine/operation/call.ts';
import { getRecordsModel } from '../../../src/engine/operation/record-result.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { isSecretName } from '../../../src/secret-names.ts';
import type { CallEffects } from '../agent/effects.ts';
import { buildConfirmationRequest, defineTool, type ToolResult, toToolResult } from '../tool.ts';
import { countReturnedIds, describeRest } from './records.ts';
import { buildListSchema, CONFIRM_SCHEMA, CONFIRMABLE_PROPERTIES, MODEL_SCHEMA } from './schemas.ts';

interface CallMethodArgs {
  model: string;
  method: string;
  ids?: number[];
  args: unknown[];
  kwargs: Record<string, unknown>;
}

export const callMethodTool = defineTool<CallMethodArgs>({
  name: 'call',
  title: 'Call a method',
  description:
    'Calls a public method, such as action_confirm of sale.order. Methods that change data require ' +
    'confirm: true. Records are returned as {model, ids}.',
  inputSchema: {
    type: 'object',
    properties: {
      model: MODEL_SCHEMA,
      method: { type: 'string' },
      ids: { type: 'array', items: { type: 'integer' } },
      args: buildListSchema('Arguments by position, after the ids.', { default: [] }),
      kwargs: { type: 'object', default: {}, description: 'Named arguments.' },
      confirm: CONFIRM_SCHEMA,
    },
    required: ['model', 'method'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      // The result may have any type, which no schema expresses for all clients.
      ...CONFIRMABLE_PROPERTIES,
    },
    required: ['_count'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scope: 'write',
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
    const result = await callMethod(ctx, model, method, limitRows(namedArgs, names, kind));
    const records = getRecordsModel(operation.definition, model);
    const call: FinishedCall = { ctx, model, kind, records, names, args: namedArgs };
    return toCallResult(call, result);
  },
});

interface FinishedCall {
  ctx: Ctx;
  model: string;
  kind: 'query' | 'mutation';
  /** Model of the returned ids. Null if the method returns anything else. */
  records: string | null;
  /** Names of the method's arguments. */
  names: readonly string[];
  args: Record<string, unknown>;
}

/** Returns paging information if the method may have more rows than the response. */
async function describeMoreRows(
  { ctx, model, names, args }: FinishedCall,
  rows: readonly unknown[],
  isCut: boolean,
): Promise<object> {
  const { domain, offset, context, limit, ids, after } = args;
  if (Array.isArray(ids) && isCut) {
    const position = countReturnedIds(ids, rows);
    return { has_more: true, ...(position && { total: ids.length, next_offset: position }) };
  }
  const isPaged = names.includes('offset') && names.includes('domain');
  if (!isCut && !(isPaged && rows.length === Number(limit))) return {};
  const end = (Number(offset) || 0) + rows.length;
  // No method counts groups, or only the records after a given one.
  if (!isPaged || names.includes('groupby') || after)
    return isCut ? { has_more: true, ...(isPaged && { next_offset: end }) } : {};
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

/** Combines the declared effects of the operation with the effects of record values in its arguments. */
function computeMethodEffects(
  ctx: Ctx,
  { model, method, ids = [], args, kwargs }: CallMethodArgs,
): CallEffects {
  const { effects, kind } = getOperationAt(ctx, model, method).definition;
  const methodEffects = new Set<OperationEffect>(effects);
  if (kind === 'query') return { effects: [...methodEffects], changes: 0 };
  let [rows, listedChanges] = [1, 0];
  for (const value of [ids, ...args, ...Object.values(kwargs)])
    if (Array.isArray(value)) rows = Math.max(rows, new Set(value).size);
  if (computeListEffects(ctx, model, {}, false).sends) methodEffects.add('sends');
  for (const values of collectValues([kwargs, ...args])) {
    const effects = computeListEffects(ctx, model, values, false);
    if (effects.deletes) methodEffects.add('deletes');
    listedChanges += effects.createdCount + effects.writtenCount;
  }
  return { effects: [...methodEffects], changes: rows + listedChanges };
}

/** Returns the tool equivalent to the operation, and `delete` if it deletes records. */
function findEquivalentTools(ctx: Ctx, call: CallMethodArgs): string[] {
  const { tool } = getOperationAt(ctx, call.model, call.method).definition;
  return [
    ...(tool ? [tool] : []),
    ...(computeMethodEffects(ctx, call).effects.includes('deletes') ? ['delete'] : []),
  ];
}

/**
 * Returns the objects in the arguments, each of which may be record values or their defaults. A list of names, such as
 * the columns of an import, counts as an object with these names.
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

/** Limits the rows to one more than the maximum per response. The additional row shows whether there are more. */
const limitRows = (values: Record<string, unknown>, names: readonly string[], kind: string) =>
  kind === 'query' && names.includes('limit')
    ? { ...values, limit: Math.min(toPositive(values.limit), limits.mcp.rows + 1) }
    : values;

const toPositive = (limit: unknown): number =>
  Number.isInteger(limit) && (limit as number) > 0 ? (limit as number) : Number.POSITIVE_INFINITY;

/** Truncates lists in the result to the maximum number of rows. Returns the same value if none is longer. */
function truncateLists(value: unknown): unknown {
  if (Array.isArray(value) && value.length > limits.mcp.rows) return value.slice(0, limits.mcp.rows);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, value]) => [name, value, truncateLists(value)] as const);
  if (parts.every(([, value, short]) => short === value)) return value;
  return Object.fromEntries(parts.map(([name, , short]) => [name, short]));
}

async function toCallResult(call: FinishedCall, value: unknown): Promise<ToolResult> {
  const { kind, records, names, args } = call;
  const whole = records === null ? (value instanceof RawJson ? value.value() : value) : [value].flat();
  const result = truncateLists(whole);
  const isRefused = isObject(result) && result.ok === false;
  const rows = findRows(result);
  const ids = args.ids as number[] | undefined;
  const members = {
    result: records === null ? (result ?? null) : { model: records, ids: result },
    ...(kind === 'query'
      ? await describeMoreRows(call, rows ?? [], result !== whole)
      : result !== whole && { truncated: true }),
  };
  const counted = kind === 'query' ? rows : findRows(whole);
  const count = isRefused ? 0 : (counted?.length ?? ids?.length ?? 1);
  const called = { ...toToolResult(members, count), isError: isRefused };
  if (kind === 'mutation') return called;
  if (Array.isArray(ids) && rows && countReturnedIds(ids, rows) !== null)
    return { ...called, requestedIds: ids };
  return { ...called, offset: names.includes('offset') ? Number(args.offset) || 0 : null };
}

/** Members that contain the rows of a result, such as `{length, records}`. */
const ROW_MEMBERS = ['records', 'groups', 'datas', 'entries', 'ids'];

/** Returns the rows of a result. Null if it has none. */
function findRows(result: unknown): unknown[] | null {
  if (Array.isArray(result)) return result;
  if (!isObject(result)) return null;
  const member = ROW_MEMBERS.find((name) => Array.isArray(result[name]));
  return member === undefined ? null : (result[member] as unknown[]);
}
