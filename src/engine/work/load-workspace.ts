import { sql } from '../../db/sql.ts';
import type { Runtime } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';

/** Loads a workspace and its models, for platform code that knows only the id. */
export async function loadWorkspace(runtime: Runtime, id: number): Promise<Workspace> {
  const [row] = await runtime.db.rows<{ slug: string }>(sql`select slug from workspace where id = ${id}`);
  const workspace = row && (await runtime.identity.workspace(row.slug));
  if (!workspace) throw new Error(`workspace ${id} no longer exists`);
  return workspace;
}
