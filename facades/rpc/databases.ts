import { slugOfHost } from '../../src/http.ts';
import { refusals } from './refusals.ts';
import type { Visit } from './visit.ts';

/** The database of a call is a workspace's slug; on a workspace's own address there is no other. */
export async function workspaceAt(visit: Visit, method: string, database: unknown): Promise<void> {
  if (typeof database !== 'string') throw refusals.argumentType(method, 'db', 'a string');
  const here = slugOfHost(visit.runtime, visit.host);
  const elsewhere = here !== null && here !== database;
  if (elsewhere || !(await visit.runtime.identity.workspace(database)))
    throw refusals.unknownDatabase(database);
}

/** Workspaces are nobody's business but their users': a name is told only to who already came to its address. */
export async function databaseNames(visit: Visit): Promise<string[]> {
  const slug = slugOfHost(visit.runtime, visit.host);
  if (slug === null || !(await visit.runtime.identity.workspace(slug))) throw refusals.accessDenied();
  return [slug];
}
