import { parseKeyPrefix } from '../../src/engine/value/keys.ts';
import { getDatabaseHeader, isForWorkspace, isKnownMissing, parseHostSlug } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { rpcCallErrors } from './errors.ts';
import type { RpcRequest } from './request.ts';

/**
 * The slug of the workspace that a call is for: its database, which may not exist. A call that names none is for the
 * one that the header X-Odoo-Database, the host name or the key names. On a workspace's own address there is no other.
 * @param unknown what the route says of a database that is not there
 */
export async function resolveWorkspace(
  visit: RpcRequest,
  method: string,
  database: unknown,
  secret: unknown,
  unknown: (slug: string) => Error = rpcCallErrors.unknownDatabase,
): Promise<string> {
  const slug = isNone(database) ? await findImpliedDatabase(visit, secret) : database;
  if (typeof slug !== 'string') throw rpcCallErrors.argumentType(method, 'db', 'a string');
  if (!isForWorkspace(visit.runtime, visit.headers, slug) || (await isKnownMissing(visit.runtime, slug)))
    throw unknown(slug);
  return slug;
}

/**
 * Workspace names are private: of several, a name is listed only on the workspace's own host, unless the operator wants
 * all of them listed. To name the only one gives nothing away.
 */
export async function listDatabases({ runtime, headers }: RpcRequest): Promise<string[]> {
  const { identity, config } = runtime;
  const slug = parseHostSlug(runtime, headers.get('host'));
  if (slug !== null) {
    if (!(await identity.workspace(slug))) throw rpcCallErrors.accessDenied();
    return [slug];
  }
  const slugs = await identity.slugs(config.listsWorkspaces ? limits.rpc.databases : 2);
  if (slugs.length !== 1 && !config.listsWorkspaces) throw rpcCallErrors.accessDenied();
  return slugs;
}

/** True only where `list` would show the name; everywhere else the workspace does not seem to exist. */
export async function hasDatabase(visit: RpcRequest, [name]: unknown[]): Promise<boolean> {
  return (await listDatabases(visit)).includes(name as string);
}

const isNone = (database: unknown): boolean =>
  database === undefined || database === null || database === false || database === '';

async function findImpliedDatabase(visit: RpcRequest, secret: unknown): Promise<string> {
  const named = getDatabaseHeader(visit.headers) ?? parseHostSlug(visit.runtime, visit.headers.get('host'));
  if (named !== null) return named;
  const isKey = typeof secret === 'string' && parseKeyPrefix(secret) !== null;
  const caller = isKey ? await visit.runtime.identity.byKey(secret) : null;
  return caller?.workspace.slug ?? '';
}
