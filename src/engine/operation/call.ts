import {
  type GraphQLArgument,
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  type OperationDefinitionNode,
  parse,
  type VariableDefinitionNode,
} from 'graphql';
import { AppError, convertPostgresError, errors } from '../../errors.ts';
import { isNestedDeeper, isObject } from '../../json.ts';
import { limits } from '../../limits.ts';
import { assertAgentModel, assertAgentOperation, runWithoutNewPowers } from '../access/agents.ts';
import { applyCallContext, assertContextSize } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { toFinalError } from '../ctx/final-error.ts';
import { toSnakeCase } from '../model/datamodel.ts';
import { getMaximumId, type Model } from '../model/model.ts';
import { createColumnLookup } from '../model/naming.ts';
import { INT_MAX } from '../value/number.ts';
import { coerceVariables } from './coerce.ts';
import { describeCoercionError } from './coercion-error.ts';
import { runInTurn } from './expensive-calls.ts';
import { createInputMapper } from './input-mapper.ts';
import {
  assertListSizes,
  getRootField,
  isAddressModel,
  listParameters,
  type Operation,
  type Operations,
  operations,
  type Parameter,
  takesIds,
} from './operation.ts';
import { toNumericIds } from './record-id.ts';
import { suggestNames } from './suggest-names.ts';

/** An operation with a GraphQL variable for each argument, prepared once at startup. */
export interface CallableOperation {
  definition: Operation;
  type: GraphQLOutputType;
  variables: readonly VariableDefinitionNode[];
  args: readonly GraphQLArgument[];
  parameters: readonly Parameter[];
}

interface PreparedOperations {
  byName: Map<string, CallableOperation>;
  /** Operations by `model/method`. */
  byAddress: Map<string, CallableOperation>;
}

const preparedBySchema = new WeakMap<GraphQLSchema, PreparedOperations>();

export function prepareOperations(schema: GraphQLSchema): void {
  const preparedOperations: PreparedOperations = { byName: new Map(), byAddress: new Map() };
  for (const definition of operations.values()) {
    const operation = prepareOperation(schema, definition);
    const { name, model, method } = definition;
    preparedOperations.byName.set(name, operation);
    if (model) preparedOperations.byAddress.set(`${model}/${method}`, operation);
  }
  preparedBySchema.set(schema, preparedOperations);
}

const getOperations = (ctx: Ctx): PreparedOperations => preparedBySchema.get(ctx.runtime.schema)!;

function prepareOperation(schema: GraphQLSchema, definition: Operation): CallableOperation {
  const field = getRootField(schema, definition);
  const { args } = field;
  const declarations = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const { definitions } = parse(`query${declarations && `(${declarations})`} { __typename }`, {
    noLocation: true,
  });
  const { variableDefinitions } = definitions[0] as OperationDefinitionNode;
  return {
    definition,
    type: field.type,
    variables: variableDefinitions ?? [],
    args,
    parameters: listParameters(definition, field),
  };
}

/**
 * Calls an operation by name in this process. Arguments are coerced as in GraphQL, and the same policy and audit apply.
 * @returns the value of `run`
 * @throws AppError for every rejection; other errors are unexpected
 */
export const call = <Name extends keyof Operations>(
  ctx: Ctx,
  name: Name,
  variables: Operations[Name]['args'],
): Promise<Operations[Name]['value']> =>
  callByName(ctx, name, variables) as Promise<Operations[Name]['value']>;

/** Like `call`, for an operation whose name is known only at run time. */
export async function callByName(
  ctx: Ctx,
  name: string,
  variables: Record<string, unknown>,
): Promise<unknown> {
  const operation = getOperations(ctx).byName.get(name);
  if (!operation) throw new Error(`unknown operation ${name}`);
  return runInTurn(ctx, variables, async () => {
    const args = coerceArguments(ctx, operation, variables);
    try {
      return (await runOperation(ctx, operation.definition, args)) ?? null;
    } catch (error) {
      throw toCallError(ctx, toFinalError(ctx, error) as Error);
    }
  });
}

/**
 * Coerces arguments as GraphQL does for a resolver.
 * @throws BAD_VALUE for a value of the wrong type
 */
function coerceArguments(
  ctx: Ctx,
  { variables, args, parameters }: CallableOperation,
  callArgs: Record<string, unknown>,
): Record<string, unknown> {
  const values = coerceVariables(ctx.runtime.schema, variables, toEnumNames(args, callArgs));
  if (values.errors) {
    const getName = (name: string) => parameters.find(({ arg }) => arg.name === name)?.name ?? name;
    throw errors.badValue(describeCoercionError(values.errors[0]!.message, getName));
  }
  const result: Record<string, unknown> = {};
  for (const { name, defaultValue } of args) {
    if (Object.hasOwn(values.coerced, name)) result[name] = values.coerced[name];
    else if (defaultValue !== undefined) result[name] = defaultValue;
  }
  return toNumericIds(args, result);
}

/** Converts enum values (`queued`), which code in this process passes, to the names that GraphQL expects (`QUEUED`). */
const toEnumNames = createInputMapper(
  ({ type }) => isEnumType(getNamedType(type)),
  (value, { type }) => {
    const values = (getNamedType(type) as GraphQLEnumType).getValues();
    return values.find((item) => item.value === value)?.name ?? value;
  },
);

/** Converts an expected error to an AppError. Returns other errors unchanged. */
function toCallError(ctx: Ctx, error: Error): Error {
  if (error instanceof AppError) return error;
  if (error instanceof GraphQLError) return errors.badValue(error.message);
  return attachCause(error, convertPostgresError(error, createColumnLookup(ctx.catalog.registry)));
}

/**
 * Runs an agent's mutation in a transaction that rejects new administrator rights. A mutation that waits for an
 * external system runs without a transaction, so that none stays open while it waits.
 */
const runOperation = (ctx: Ctx, { kind, policy, run }: Operation, args: Record<string, unknown>): unknown =>
  kind === 'mutation' && !policy.waits
    ? runWithoutNewPowers(ctx, async (inner) => run(args, inner))
    : run(args, ctx);

/** Keeps the original error as the cause, because a surrounding transaction may retry on it. */
function attachCause(cause: Error, error: AppError | undefined): Error {
  if (!error) return cause;
  error.cause = cause;
  return error;
}

/** Methods of classic RPC that clients may not call. */
const PRIVATE_METHODS = new Set(
  `browse exists search_fetch fetch check_access mapped filtered filtered_domain grouped sorted sudo with_user
  with_context with_company with_env with_prefetch new update ensure_one concat union flush_model flush_recordset
  invalidate_model invalidate_recordset modified lock_for_update try_lock_for_update init`.split(/\s+/),
);

/**
 * @throws NOT_FOUND_MODEL, NOT_FOUND_METHOD, ACCESS_ERROR for a private method, FORBIDDEN for an operation that is
 * closed to agents
 */
export function getOperationAt(ctx: Ctx, model: string, method: string): CallableOperation {
  const operation = lookUpOperation(ctx, model, method);
  if (operation.definition.kind === 'mutation') assertAgentModel(ctx, model);
  assertAgentOperation(ctx, ctx.catalog.registry.get(model)!, operation.definition);
  return operation;
}

/**
 * Lists the operations that can be called on a model's records. The model's own operation takes precedence over a
 * generic one with the same method name.
 */
export function listOperationsOn(ctx: Ctx, { name, fields }: Model): CallableOperation[] {
  const operations = new Map<string, CallableOperation>();
  for (const operation of getOperations(ctx).byAddress.values()) {
    const { model, method, needs } = operation.definition;
    const isOwn = model === name;
    if (isOwn || (model === '*' && (!needs || fields.has(needs)) && !operations.has(method!)))
      operations.set(method!, operation);
  }
  return [...operations.values()];
}

function lookUpOperation(ctx: Ctx, model: string, method: string): CallableOperation {
  const { byAddress } = getOperations(ctx);
  if (!ctx.catalog.registry.has(model)) throw errors.unknownModel(model);
  const ownMethod = byAddress.get(`${model}/${method}`);
  if (ownMethod) return ownMethod;
  if (method.startsWith('_') || PRIVATE_METHODS.has(method)) throw errors.privateMethod(model, method);
  const general = byAddress.get(`*/${method}`);
  if (!general) throw errors.unknownMethod(model, method);
  return general;
}

/**
 * Renames deprecated arguments. If a call passes an argument under both names, keeps both, so that the call is
 * rejected.
 */
export function resolveAliases(
  operation: CallableOperation,
  namedArgs: Record<string, unknown>,
): Record<string, unknown> {
  const { aliases } = operation.definition;
  if (!Object.keys(namedArgs).some((name) => Object.hasOwn(aliases, name))) return namedArgs;
  const resolveName = (name: string) => (Object.hasOwn(aliases, name) ? aliases[name]! : name);
  return Object.fromEntries(
    Object.entries(namedArgs).map(([name, value]) => [
      Object.hasOwn(namedArgs, resolveName(name)) ? name : resolveName(name),
      value,
    ]),
  );
}

/**
 * Calls a model's method with named arguments, including `ids` and `context`, as the JSON API does.
 * @throws AppError; the checks run in the order of the JSON API
 */
export async function callMethod(
  ctx: Ctx,
  model: string,
  method: string,
  namedArgs: Record<string, unknown>,
): Promise<unknown> {
  const operation = getOperationAt(ctx, model, method);
  const { context, ...all } = resolveAliases(operation, namedArgs);
  assertContextSize(context);
  const { ids, ...rest } = all;
  const isParameter = operation.parameters.some(({ name }) => name === 'ids');
  const namedValues = isParameter ? all : rest;
  if (!takesIds(operation) && !isParameter && ids !== undefined && ids !== null)
    throw errors.idsOnModelMethod(model, method);
  assertSignature(operation, namedValues);
  const callCtx = applyCallContext(ctx, context);
  if (callCtx.context.expectedVersion) assertChecksVersions(operation, method);
  if (isNestedDeeper(namedArgs, limits.call.depth))
    throw errors.badValue(`the arguments are nested more than ${limits.call.depth} levels deep`);
  try {
    // Repeated when the operation runs. Here it rejects a list before its items are coerced.
    assertListSizes(namedValues);
    const variables = buildVariables(ctx, operation, model, namedValues, ids);
    return await callByName(callCtx, operation.definition.name, variables);
  } catch (error) {
    const { reject } = operation.definition;
    if (reject && error instanceof AppError && error.kind === 'BAD_VALUE') return reject(error);
    throw error;
  }
}

/** @throws BAD_VALUE for a change that would ignore the expected versions */
function assertChecksVersions({ definition }: CallableOperation, method: string): void {
  if (definition.kind === 'mutation' && definition.tool !== 'update')
    throw errors.badValue(
      `The method '${method}' does not check 'expected_version'. Only write and web_save do.`,
    );
}

function assertSignature(
  { definition: operation, parameters }: CallableOperation,
  values: Record<string, unknown>,
): void {
  for (const { name, arg } of parameters) {
    if (isRequiredArgument(arg) && (values[name] === undefined || values[name] === null))
      throw errors.missingArgument(name);
  }
  const parameterNames = parameters.map(({ name }) => name);
  for (const name of Object.keys(values)) {
    if (parameterNames.includes(name)) continue;
    // For methods that all models share, classic clients expect exactly this error text.
    throw errors.unexpectedArgument(
      name,
      operation.model === '*' ? '' : `.${suggestNames(name, parameterNames)}`,
    );
  }
}

/** Limits ids to the column's maximum, because requesting a nonexistent id is not an error. */
const clampIds = (ids: unknown, max: number): unknown =>
  Array.isArray(ids) ? ids.map((id) => Math.max(-max, Math.min(id, max))) : ids;

function buildVariables(
  ctx: Ctx,
  { definition: operation, args, parameters }: CallableOperation,
  model: string,
  values: Record<string, unknown>,
  ids: unknown,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const arg of args) {
    if (isAddressModel(operation, arg)) variables.model = model;
    else if (arg.name === 'ids' && takesIds({ args }))
      variables.ids = clampIds(
        coerceLeniently(arg.type, ids || [], 'ids'),
        getMaximumId(ctx.catalog.registry.get(model)),
      );
  }
  for (const { name, arg } of parameters)
    if (Object.hasOwn(values, name)) variables[arg.name] = coerceLeniently(arg.type, values[name], name);
  return variables;
}

/**
 * Coerces values in the forms that RPC clients send: false or '' for an absent value (but '' is a valid string), a
 * single id for a list, and "5" for the number 5. In a `model/method` call, every `ID` is a record id, and therefore a
 * number.
 * @throws BAD_VALUE
 */
function coerceLeniently(type: GraphQLInputType, value: unknown, name: string): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return coerceList(inner.ofType, value, name);
  const kind = getNamedType(inner).name;
  if (kind === 'JSON') return value;
  if (kind === 'Boolean') return toBoolean(value, name);
  if (isAbsent(value) || (value === '' && kind !== 'String')) {
    return isNonNullType(type) ? rejectArgument(name) : undefined;
  }
  if (isInputObjectType(inner)) return coerceFields(inner, value, name);
  if (isIntegerType(inner)) return parseInteger(value, name);
  if (kind === 'String' && typeof value !== 'string')
    throw errors.badValue(`Invalid value for the argument '${name}': must be a string`);
  return value;
}

/** Input fields have snake_case names, like arguments. An absent value becomes null. */
function coerceFields(type: GraphQLInputObjectType, value: unknown, name: string): Record<string, unknown> {
  if (!isObject(value)) return rejectArgument(name);
  const fields = new Map(Object.values(type.getFields()).map((field) => [toSnakeCase(field.name), field]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const field = fields.get(key);
      if (!field)
        throw errors.wrongArgument(name, `it has no '${key}'.${suggestNames(key, [...fields.keys()])}`);
      return [field.name, coerceLeniently(field.type, inner, `${name}.${key}`) ?? null];
    }),
  );
}

const isIntegerType = (type: GraphQLInputType): boolean =>
  'name' in type && (type.name === 'Int' || type.name === 'ID');

const isAbsent = (value: unknown): boolean => value === false || value === null || value === undefined;

function toBoolean(value: unknown, name: string): boolean | null {
  if (value === '') return null;
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  return value === 0 || value === 1 ? value === 1 : rejectArgument(name);
}

/** Arguments that classic clients may pass as a single string instead of a list (Odoo 19). */
const SINGLE_TEXT_ARGUMENTS: ReadonlySet<string> = new Set(['groupby', 'field_names']);

function coerceList(item: GraphQLInputType, value: unknown, name: string): unknown {
  if (isAbsent(value) || value === '') return undefined;
  if (typeof value === 'string' && getNamedType(item).name === 'String' && !SINGLE_TEXT_ARGUMENTS.has(name))
    throw errors.badValue(`Invalid value for the argument '${name}': must be a list of strings`);
  const list = Array.isArray(value) ? value : [value];
  if (isIntegerType(isNonNullType(item) ? item.ofType : item))
    return list.map((entry) => parseInteger(entry, name));
  return list.map((entry) =>
    typeof entry === 'boolean'
      ? rejectArgument(name)
      : (coerceLeniently(item, entry, name) ?? rejectArgument(name)),
  );
}

function rejectArgument(name: string): never {
  throw errors.badValue(`Invalid value for the argument '${name}'`);
}

function parseInteger(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return rejectArgument(name);
  return name === 'ids' || Math.abs(number) <= INT_MAX ? number : rejectArgument(name);
}
