import { parseKeyPrefix } from '../../src/engine/value/keys.ts';
import {
  getDatabaseHeader,
  mayReportMissing,
  namesNoOtherWorkspace,
  parseHostSlug,
} from '../../src/http/http.ts';
import { rpcCallErrors } from './errors.ts';
import type { RpcRequest } from './request.ts';

/** Workspaces listed for unauthenticated clients, if the operator enables it. */
const MAX_LISTED_DATABASES = 1_000;

/**
 * Returns the slug of the call's workspace, which may not exist. If the call specifies no database, the X-Odoo-Database
 * header, the host name or the key determines it. A workspace-specific host serves no other workspace.
 * @param createError creates the route's error for an unknown database
 */
export async function resolveWorkspace(
  visit: RpcRequest,
  method: string,
  database: unknown,
  secret: unknown,
  createError: (slug: string) => Error = rpcCallErrors.unknownDatabase,
): Promise<string> {
  const slug = isUnset(database) ? await findImpliedDatabase(visit, secret) : database;
  if (typeof slug !== 'string') throw rpcCallErrors.argumentType(method, 'db', 'a string');
  if (
    !namesNoOtherWorkspace(visit.runtime, visit.headers, slug) ||
    (await mayReportMissing(visit.runtime, slug))
  )
    throw createError(slug);
  return slug;
}

/**
 * Workspace names are private. If there are several workspaces, each is listed only on its own host, unless the
 * operator enables the full list. A single workspace is always listed.
 */
export async function listDatabases({ runtime, headers }: RpcRequest): Promise<string[]> {
  const { identity, config } = runtime;
  const slug = parseHostSlug(runtime, headers.get('host'));
  if (slug !== null) {
    if (!(await identity.workspace(slug))) throw rpcCallErrors.accessDenied();
    return [slug];
  }
  const slugs = await identity.slugs(config.listsWorkspaces ? MAX_LISTED_DATABASES : 2);
  if (slugs.length !== 1 && !config.listsWorkspaces) throw rpcCallErrors.accessDenied();
  return slugs;
}

/** True if `list` would return the name. Other workspaces appear not to exist. */
export async function hasDatabase(visit: RpcRequest, [name]: unknown[]): Promise<boolean> {
  return (await listDatabases(visit)).includes(name as string);
}

const isUnset = (database: unknown): boolean =>
  database === undefined || database === null || database === false || database === '';

async function findImpliedDatabase(visit: RpcRequest, secret: unknown): Promise<string> {
  const database =
    getDatabaseHeader(visit.headers) ?? parseHostSlug(visit.runtime, visit.headers.get('host'));
  if (database !== null) return database;
  const isKey = typeof secret === 'string' && parseKeyPrefix(secret) !== null;
  const caller = isKey ? await visit.runtime.identity.byKey(secret) : null;
  return caller?.workspace.slug ?? '';
}
