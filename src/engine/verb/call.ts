import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql';
import { AppError, errors, fromPostgres } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { inContext } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { namingOf } from '../model/naming.ts';
import { INT_MAX } from '../value/number.ts';
import { parametersOf, rootField, takesIds, type Verb, verbs } from './verb.ts';

/** A verb with its document, prepared once at boot. */
interface Operation {
  verb: Verb;
  document: DocumentNode;
  args: readonly GraphQLArgument[];
}

interface Operations {
  byName: Map<string, Operation>;
  /** By `model/method`. */
  byAddress: Map<string, Operation>;
}

const prepared = new WeakMap<GraphQLSchema, Operations>();

/** Parses and validates the operation of every verb; a verb that does not fit the schema stops the boot. */
export function prepareOperations(schema: GraphQLSchema): Operations {
  const operations: Operations = { byName: new Map(), byAddress: new Map() };
  for (const verb of verbs.values()) {
    const operation = prepare(schema, verb);
    operations.byName.set(verb.name, operation);
    if (verb.model) operations.byAddress.set(`${verb.model}/${verb.method}`, operation);
  }
  prepared.set(schema, operations);
  return operations;
}

const operationsOf = (ctx: Ctx): Operations => prepared.get(ctx.runtime.schema)!;

function prepare(schema: GraphQLSchema, verb: Verb): Operation {
  const field = rootField(schema, verb);
  const declared = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selected = `${verb.name}${passed && `(${passed})`} ${verb.select}`;
  const source = `${verb.kind} ${verb.name}${declared && `(${declared})`} { ${selected} }`;
  const document = parse(source, { noLocation: true });
  const mistakes = validate(schema, document);
  if (mistakes.length) throw new Error(`verb ${verb.name}: ${mistakes[0]!.message}`);
  return { verb, document, args: field.args };
}

/**
 * Calls a verb by name, in process, through its prepared GraphQL operation.
 * @throws AppError for every refusal; anything else is unexpected
 */
export async function call<T>(ctx: Ctx, name: string, variables: Record<string, unknown>): Promise<T> {
  const operation = operationsOf(ctx).byName.get(name);
  if (!operation) throw new Error(`there is no verb ${name}`);
  const result = (await execute({
    schema: ctx.runtime.schema,
    document: operation.document,
    variableValues: variables,
    contextValue: ctx,
  })) as ExecutionResult<Record<string, T>>;
  if (result.errors) throw refusalOf(ctx, result.errors[0]!);
  return result.data![name]!;
}

/** The error behind a GraphQL error: a refusal, or what went wrong. */
function refusalOf(ctx: Ctx, error: GraphQLError): Error {
  const cause = error.originalError;
  if (cause instanceof AppError) return cause;
  if (cause && !(cause instanceof GraphQLError))
    return worded(cause, fromPostgres(cause, namingOf(ctx.catalog.registry)));
  return errors.badValue(error.message);
}

/** The words keep what they are about: a transaction around the call may be tried again for it. */
function worded(cause: Error, refusal: AppError | undefined): Error {
  if (!refusal) return cause;
  refusal.cause = cause;
  return refusal;
}

/** Methods that classic RPC clients know and may not call. */
const PRIVATE = new Set(
  `browse exists search_fetch fetch check_access mapped filtered filtered_domain grouped sorted sudo with_user
  with_context with_company with_env with_prefetch new update ensure_one concat union flush_model flush_recordset
  invalidate_model invalidate_recordset modified lock_for_update try_lock_for_update init`.split(/\s+/),
);

/**
 * The operation at an address.
 * @throws NOT_FOUND_MODEL, ACCESS_ERROR for a private method, NOT_FOUND_METHOD
 */
export function operationAt(ctx: Ctx, model: string, method: string): Operation {
  const { byAddress } = operationsOf(ctx);
  const own = byAddress.get(`${model}/${method}`);
  if (own) return own;
  if (!ctx.catalog.registry.has(model)) throw errors.unknownModel(model);
  if (method.startsWith('_') || PRIVATE.has(method)) throw errors.privateMethod(model, method);
  const general = byAddress.get(`*/${method}`);
  if (!general) throw errors.unknownMethod(model, method);
  return general;
}

/** Arguments under the names they have now; one that is given by both names stays as it is, to be refused. */
export function currentNames(operation: Operation, named: Record<string, unknown>): Record<string, unknown> {
  const { aliases } = operation.verb;
  if (!Object.keys(named).some((name) => Object.hasOwn(aliases, name))) return named;
  const current = (name: string) => (Object.hasOwn(aliases, name) ? aliases[name]! : name);
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      Object.hasOwn(named, current(name)) ? name : current(name),
      value,
    ]),
  );
}

/**
 * Calls the method of a model with named arguments, as the JSON API does. `ids` and `context` are taken out of them.
 * @throws AppError; the order of the checks is that of the JSON API
 */
export async function callMethod(
  ctx: Ctx,
  model: string,
  method: string,
  named: Record<string, unknown>,
): Promise<unknown> {
  const operation = operationAt(ctx, model, method);
  const { ids, context, ...given } = currentNames(operation, named);
  if (!takesIds(operation) && ids !== undefined && ids !== null) throw errors.idsOnModelMethod(model, method);
  checkSignature(operation, given);
  if (isDeeper(named, limits.call.depth))
    throw errors.badValue(`the arguments are nested over ${limits.call.depth} levels`);
  const variables = variablesOf(operation, model, given, ids);
  return call(inContext(ctx, context), operation.verb.name, variables);
}

function checkSignature(operation: Operation, given: Record<string, unknown>): void {
  const known = parametersOf(operation);
  for (const arg of known) {
    if (isRequiredArgument(arg) && (given[arg.name] === undefined || given[arg.name] === null))
      throw errors.missingArgument(arg.name);
  }
  for (const name of Object.keys(given)) {
    if (!known.some((arg) => arg.name === name)) throw errors.unexpectedArgument(name);
  }
}

function variablesOf(
  operation: Operation,
  model: string,
  given: Record<string, unknown>,
  ids: unknown,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const { name, type } of operation.args) {
    if (name === 'model') variables.model = model;
    else if (name === 'ids') variables.ids = lenient(type, ids || [], name);
    else if (Object.hasOwn(given, name)) variables[name] = lenient(type, given[name], name);
  }
  return variables;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * Values as classic clients send them: false means absent (so does '' for anything but text), one id a list of one,
 * "5" the number 5.
 * @throws BAD_VALUE
 */
function lenient(type: GraphQLInputType, value: unknown, name: string): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return listOf(inner.ofType, value, name);
  const kind = getNamedType(inner).name;
  if (kind === 'JSON') return value;
  if (kind === 'Boolean') return toBoolean(value, name);
  if (isAbsent(value) || (value === '' && kind !== 'String')) {
    return isNonNullType(type) ? wrong(name) : undefined;
  }
  if (kind === 'Int') return integer(value, name);
  if (kind === 'String' && typeof value !== 'string')
    throw errors.badValue(`Wrong value for the argument '${name}': text is needed`);
  return value;
}

const isAbsent = (value: unknown): boolean => value === false || value === null || value === undefined;

function toBoolean(value: unknown, name: string): boolean | null {
  if (value === '') return null;
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  return value === 0 || value === 1 ? value === 1 : wrong(name);
}

function listOf(item: GraphQLInputType, value: unknown, name: string): unknown {
  if (isAbsent(value) || value === '') return undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) =>
    typeof entry === 'boolean' ? wrong(name) : (lenient(item, entry, name) ?? wrong(name)),
  );
}

function wrong(name: string): never {
  throw errors.badValue(`Wrong value for the argument '${name}'`);
}

function integer(value: unknown, name: string): number {
  const number =
    value === true ? 1 : typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return wrong(name);
  if (Math.abs(number) <= INT_MAX) return number;
  // No record has such a number, and asking for it is no mistake.
  return name === 'ids' ? INT_MAX : wrong(name);
}
