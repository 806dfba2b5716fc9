import { createWorkspace } from '../../../schema/base/workspace/create-workspace.ts';
import { renameWorkspace } from '../../../schema/base/workspace/workspace.ts';
import { sql } from '../../../src/db/sql.ts';
import { onRuntime } from '../on-runtime.ts';
import { inWorkspace } from './in-workspace.ts';

export const workspaceCreate = (slug: string, name?: string) =>
  onRuntime(async (runtime) => {
    const ctx = await createWorkspace(runtime, slug, name);
    return { id: ctx.workspace.id, slug };
  });

export const workspaceRename = (slug: string, name: string) =>
  inWorkspace(slug, 'workspace.rename', { name }, async (ctx) => ({
    id: ctx.workspace.id,
    slug,
    name: await renameWorkspace(ctx, name),
  }));

export const workspaceList = () =>
  onRuntime((runtime) =>
    runtime.db.rows(sql`select id, slug, name, features, created_at as created from workspace order by id`),
  );
