import { sql } from '../../db/sql.ts';
import type { Runtime } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';
import type { Principal } from '../model/principal.ts';

/**
 * Loads a workspace and its models, for platform code that knows only the id.
 * @throws if the workspace is closed or deleted
 */
export async function loadWorkspace(runtime: Runtime, id: number): Promise<Workspace> {
  const [row] = await runtime.db.rows<{ slug: string }>(sql`select slug from workspace where id = ${id}`);
  const workspace = row && (await runtime.identity.workspace(row.slug));
  if (!workspace) throw new Error(`workspace ${id} is closed or deleted`);
  return workspace;
}

/**
 * Loads the user whose work a job continues. Null if the user is no longer active.
 * @throws if the workspace is closed or deleted, so that the work is retried once the workspace is restored
 */
export async function loadJobPrincipal(
  runtime: Runtime,
  workspaceId: number,
  userId: number,
): Promise<Principal | null> {
  const principal = await runtime.identity.principal(workspaceId, userId);
  if (!principal) await loadWorkspace(runtime, workspaceId);
  return principal;
}
