import { argumentNames, callMethod, operationAt, takesIds } from '../../src/engine/call.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { AppError } from '../../src/errors.ts';
import { ctxOf } from '../../src/http.ts';
import { workspaceAt } from './databases.ts';
import { refusals } from './refusals.ts';
import type { Answer, Visit } from './visit.ts';

/** `execute(db, uid, password, model, method, *args)` and `execute_kw(…, args, kwargs)`. */
export async function callObject(visit: Visit, service: string, params: unknown[]): Promise<Answer> {
  if (service !== 'execute' && service !== 'execute_kw') throw refusals.unknownObjectMethod(service);
  const most = service === 'execute' ? Number.POSITIVE_INFINITY : 7;
  if (params.length < 5 || params.length > most)
    throw refusals.argumentCount(service, 'at least 5', params.length);
  const [database, uid, secret, model, method, ...rest] = params;
  if (typeof model !== 'string') throw refusals.argumentType(service, 'model', 'a string');
  if (typeof method !== 'string') throw refusals.argumentType(service, 'method', 'a string');
  const ctx = await signedIn(visit, service, database, uid, secret);
  const [args, keywords] = service === 'execute' ? [rest, {}] : [listOf(rest[0]), objectOf(rest[1])];
  const named = namedArguments(ctx, model, method, args, keywords);
  const result = await callMethod(ctx, model, method, named);
  return { result: method === 'create' ? created(named.vals_list, result) : result, model };
}

async function signedIn(
  visit: Visit,
  service: string,
  database: unknown,
  uid: unknown,
  secret: unknown,
): Promise<Ctx> {
  await workspaceAt(visit, service, database);
  const id = userId(uid);
  if (id === null || typeof secret !== 'string' || secret === '') throw refusals.accessDenied();
  const caller = await visit.runtime.identity.byUid(database as string, id, secret, visit.source);
  if (!caller) throw refusals.accessDenied();
  return ctxOf(visit.runtime, caller, 'rpc', visit.requestId);
}

/** Clients send the number authenticate gave them, some as text. */
function userId(uid: unknown): number | null {
  const id = typeof uid === 'string' && /^\d{1,10}$/.test(uid) ? Number(uid) : uid;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2147483647 ? id : null;
}

/** Lists and structs are alike in some clients' languages, so an empty one of the other sort is none. */
function listOf(value: unknown): unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  if (!isEmpty(value)) throw refusals.argumentType('execute_kw', 'args', 'a list');
  return [];
}

function objectOf(value: unknown): Record<string, unknown> {
  if (value === undefined || isEmpty(value)) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw refusals.argumentType('execute_kw', 'kw', 'a struct');
  return value as Record<string, unknown>;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

function operationOf(ctx: Ctx, model: string, method: string): ReturnType<typeof operationAt> {
  try {
    return operationAt(ctx, model, method);
  } catch (error) {
    const isUnknown = error instanceof AppError && error.kind === 'NOT_FOUND_MODEL';
    throw isUnknown ? refusals.unknownModel(model) : error;
  }
}

/** Positions to names: a method that acts on records takes their ids first. */
function namedArguments(
  ctx: Ctx,
  model: string,
  method: string,
  args: unknown[],
  keywords: Record<string, unknown>,
): Record<string, unknown> {
  const operation = operationOf(ctx, model, method);
  const named: Record<string, unknown> = { ...keywords };
  const names = argumentNames(operation);
  if (takesIds(operation)) names.unshift('ids');
  if (args.length > names.length) throw refusals.tooManyArguments(model, method);
  args.forEach((value, index) => {
    const name = names[index]!;
    if (Object.hasOwn(keywords, name)) throw refusals.givenTwice(name);
    named[name] = value;
  });
  if (names[0] === 'ids' && !Object.hasOwn(named, 'ids')) throw refusals.noIds(model, method);
  return named;
}

/** One struct makes one record, and its id is the answer; a list is answered with a list. */
function created(values: unknown, result: unknown): unknown {
  return Array.isArray(result) && !Array.isArray(values) ? result[0] : result;
}
