import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { authenticateUser, recordStatelessSignIn } from '../../src/engine/identity/sign-in.ts';
import { listLanguageRows } from '../../src/engine/value/languages.ts';
import { AppError } from '../../src/errors.ts';
import { buildSignInOrigin, toPublicError } from '../../src/http/http.ts';
import type { TaskOwner } from '../../src/thread.ts';
import { hasDatabase, listDatabases, resolveWorkspace } from './databases.ts';
import { rpcCallErrors } from './errors.ts';
import { RpcCallError } from './faults.ts';
import { callByPosition, parseListArgument, parseStructArgument, parseTextArgument } from './method-call.ts';
import { createRpcCtx, type RpcRequest, type RpcResult } from './request.ts';
import { SERVER_VERSION, VERSION_INFO } from './version.ts';

export function callService(
  visit: RpcRequest,
  service: string,
  method: string,
  args: unknown[],
): Promise<RpcResult> {
  if (service === 'object') return callObject(visit, method, args);
  if (service === 'common') return toRpcResult(callCommon(visit, method, args));
  if (service === 'db') return toRpcResult(callDb(visit, method, args));
  throw rpcCallErrors.unknownService(service);
}

async function toRpcResult(result: unknown): Promise<RpcResult> {
  return { result: await result };
}

/** Handles `execute(db, uid, password, model, method, *args)` and `execute_kw(…, args, kwargs)`. */
async function callObject(visit: RpcRequest, service: string, params: unknown[]): Promise<RpcResult> {
  if (service !== 'execute' && service !== 'execute_kw') throw rpcCallErrors.unknownObjectMethod(service);
  const maxArguments = service === 'execute' ? Number.POSITIVE_INFINITY : 7;
  if (params.length < 5 || params.length > maxArguments)
    throw rpcCallErrors.argumentCount(service, 'at least 5', params.length);
  const [database, uid, secret, givenModel, givenMethod, ...rest] = params;
  const model = parseTextArgument(givenModel, 'model', service);
  const method = parseTextArgument(givenMethod, 'method', service);
  const ctx = await authenticateCall(visit, service, database, uid, secret);
  const [args, keywords] =
    service === 'execute'
      ? [rest, {}]
      : [parseListArgument(rest[0], service), parseStructArgument(rest[1], service, 'kw')];
  return callByPosition(ctx, { model, method, args, keywords }, rpcCallErrors.unknownModel);
}

async function authenticateCall(
  visit: RpcRequest,
  service: string,
  database: unknown,
  uid: unknown,
  secret: unknown,
): Promise<Ctx> {
  const slug = await resolveWorkspace(visit, service, database, secret);
  const id = parseUserId(uid);
  if (id === null || typeof secret !== 'string' || secret === '') throw rpcCallErrors.accessDenied();
  const from = buildSignInOrigin(visit.runtime, visit.headers, 'rpc');
  const caller = await authenticateUser(visit.runtime, { slug, match: { uid: id }, secret }, from);
  if (!caller) throw rpcCallErrors.accessDenied();
  return createRpcCtx(visit, caller);
}

/**
 * Finds the caller's workspace from the first arguments of a call to the `object` service. Null if they are incomplete.
 * @throws for an invalid credential, like the call itself
 */
export async function findSender(visit: RpcRequest, first: unknown[]): Promise<TaskOwner | null> {
  if (first.length < 3) return null;
  const [database, uid, secret] = first;
  try {
    return (await authenticateCall(visit, 'execute_kw', database, uid, secret)).workspace.id;
  } catch (error) {
    // The error is converted here, because only authentication errors can occur and the client receives them.
    throw error instanceof RpcCallError ? error : toPublicError(visit.runtime, error, visit.requestId);
  }
}

/** Parses the user id that `authenticate` returned. Some clients send it as a string. */
function parseUserId(uid: unknown): number | null {
  const id = typeof uid === 'string' && /^\d{1,10}$/.test(uid) ? Number(uid) : uid;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2147483647 ? id : null;
}

function callCommon(visit: RpcRequest, method: string, args: unknown[]): unknown {
  switch (method) {
    case 'version':
      return VERSION_INFO;
    case 'authenticate':
    case 'login':
      return signIn(visit, method, args);
    case 'about':
      return args[0] ? [SERVER_DESCRIPTION, SERVER_VERSION] : SERVER_DESCRIPTION;
    // Odoo lets administrators set the log level. Here, only the operator can.
    case 'set_loglevel':
      return true;
    default:
      throw rpcCallErrors.unknownCommonMethod(method);
  }
}

const SERVER_DESCRIPTION = 'Atrium, which speaks the external API of Odoo 19.';

/** @returns the user id, or false for an incorrect login or secret */
async function signIn(visit: RpcRequest, method: string, args: unknown[]): Promise<number | false> {
  const [database, login, secret] = args;
  if (args.length < 3 || args.length > 4) throw rpcCallErrors.argumentCount(method, '3 or 4', args.length);
  const slug = await resolveWorkspace(visit, method, database, secret);
  if (!login || !secret) return false;
  const [name, password] = [
    parseTextArgument(login, 'login', method),
    parseTextArgument(secret, 'password', method),
  ];
  try {
    const from = buildSignInOrigin(visit.runtime, visit.headers, 'rpc');
    const caller = await authenticateUser(
      visit.runtime,
      { slug, match: { login: name }, secret: password },
      from,
    );
    if (!caller) return false;
    await recordStatelessSignIn(visit.runtime, caller, from);
    return caller.principal.userId ?? false;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'ACCESS_DENIED') return false;
    throw error;
  }
}

let languages: [string, string][] | undefined;

/**
 * Returns the code and name of each available language, sorted by name. Cached, because building the list is slow and
 * unauthenticated clients may request it.
 */
function listLanguages(): [string, string][] {
  languages ??= listLanguageRows()
    .map(({ code, name }): [string, string] => [code, name])
    .sort(([, a], [, b]) => (a < b ? -1 : 1));
  return languages;
}

function callDb(visit: RpcRequest, method: string, args: unknown[]): unknown {
  if (method === 'server_version') return SERVER_VERSION;
  if (method === 'list') return listDatabases(visit);
  if (method === 'db_exist') return hasDatabase(visit, args);
  if (method === 'list_lang') return listLanguages();
  throw rpcCallErrors.accessDenied();
}
