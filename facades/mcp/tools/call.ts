import { listEffects } from '../../../src/engine/access/list-effects.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { callMethod, operationAt } from '../../../src/engine/verb/call.ts';
import { recordsModelOf } from '../../../src/engine/verb/record-answer.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import type { Effects } from '../agent/effects.ts';
import { defineTool, needsConfirm, type Shaped, toolAnswer } from '../tool.ts';
import { CONFIRM_SCHEMA, CONFIRMABLE, MODEL_SCHEMA } from './schemas.ts';

interface Args {
  model: string;
  method: string;
  ids?: number[];
  args: unknown[];
  kwargs: Record<string, unknown>;
}

/** Methods with a tool of their own, which has the bounds they need. */
const TOOL_OF: Record<string, string> = {
  create: 'create',
  write: 'update',
  web_save: 'create or update',
  unlink: 'delete',
  button_immediate_install: 'module_install',
  button_immediate_upgrade: 'module_upgrade',
  button_immediate_uninstall: 'module_uninstall',
};

export const callMethodTool = defineTool<Args>({
  name: 'call',
  title: 'Call a method',
  description:
    'Calls a public method, such as action_confirm of sale.order. One that does more than read needs confirm: true.',
  inputSchema: {
    type: 'object',
    properties: {
      model: MODEL_SCHEMA,
      method: { type: 'string', description: 'Name of the method.' },
      ids: { type: 'array', items: { type: 'integer' }, description: 'Records it is called on.' },
      args: { type: 'array', default: [], description: 'Arguments by position, after the ids.' },
      kwargs: { type: 'object', default: {}, description: 'Arguments by name.' },
      confirm: CONFIRM_SCHEMA,
    },
    required: ['model', 'method'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      result: { description: 'Records are {model, ids}.' },
      ...CONFIRMABLE,
    },
    required: ['_count'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scope: 'write',
  group: 'data',
  method: ({ method }) => (typeof method === 'string' ? method : null),
  effects: effectsOf,
  async run({ ctx, args: { model, method, ids, args, kwargs }, confirmed }) {
    const operation = operationAt(ctx, model, method);
    if (Object.hasOwn(TOOL_OF, method)) throw errors.user(`Use the tool ${TOOL_OF[method]} for ${method}.`);
    const names = operation.parameters.map(({ name }) => name);
    const named = { ...byPosition(names, args, kwargs), ...(ids && { ids }) };
    if (operation.verb.kind === 'mutation' && !confirmed)
      return needsConfirm({
        message: `${model}.${method} may change data. Send it again with confirm: true to call it.`,
        call: { model, method, ids: ids ?? [] },
      });
    const result = await callMethod(ctx, model, method, named);
    return answer(result, recordsModelOf(operation.verb, model), ids);
  },
});

/** Methods that do what a tool of their kind does, by their names. */
const SENDS = /^autoreply_save$|(^|_)send(_|$)/;
const DELETES = /(^|_)(delete|deletion|discard|empty|revoke|unlink)(_|$)/;

function effectsOf(ctx: Ctx, { model, method, ids = [], args, kwargs }: Args): Effects {
  let [rows, more] = [1, 0];
  for (const each of [ids, ...args, ...Object.values(kwargs)])
    if (Array.isArray(each)) rows = Math.max(rows, each.length);
  let deletes = DELETES.test(method);
  const sends =
    listEffects(ctx, model, {}, false).sends && operationAt(ctx, model, method).verb.kind === 'mutation';
  for (const values of valuesIn([kwargs, ...args])) {
    const effects = listEffects(ctx, model, values, false);
    deletes ||= effects.deletes;
    more += effects.created + effects.written;
  }
  const kind = deletes ? 'deletes' : sends ? 'sends' : null;
  return { kind: SENDS.test(method) ? 'sends' : kind, sends, changes: rows + more };
}

/** Objects among the arguments, each of which may be the values of a record, or defaults for them. */
const valuesIn = (value: unknown): object[] => {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (!isObject(value)) return [];
  const named = Object.entries(value).map(([name, each]) => [name.replace(/^default_/, ''), each]);
  return [Object.fromEntries(named), ...Object.values(value).flatMap(valuesIn)];
};

/** @throws BAD_VALUE for more arguments than there are, and for one that is given twice */
function byPosition(
  names: readonly string[],
  args: readonly unknown[],
  kwargs: Record<string, unknown>,
): Record<string, unknown> {
  if (args.length > names.length)
    throw errors.badValue(`The method takes at most ${names.length} args: ${names.join(', ') || 'none'}.`);
  const given = Object.fromEntries(args.map((value, index) => [names[index]!, value]));
  for (const name of Object.keys(given))
    if (Object.hasOwn(kwargs, name)) throw errors.badValue(`'${name}' is in args and in kwargs.`);
  return { ...kwargs, ...given };
}

/** @param records model of the records that the result stands for */
function answer(result: unknown, records: string | null, ids: readonly number[] | undefined): Shaped {
  if (records !== null) {
    const found = [result].flat() as number[];
    return toolAnswer({ result: { model: records, ids: found } }, found.length);
  }
  if (result instanceof RawJson)
    return { text: `{"result":${result.text},"_count":${result.count}}`, count: result.count };
  const count = Array.isArray(result) ? result.length : (ids?.length ?? 1);
  const isRefused = isObject(result) && result.ok === false;
  return { ...toolAnswer({ result: result ?? null }, isRefused ? 0 : count), refused: isRefused };
}
