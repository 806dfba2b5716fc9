import { createWorkspace } from '../../../schema/base/workspace/create-workspace.ts';
import { sql } from '../../../src/db/sql.ts';
import { onRuntime } from '../on-runtime.ts';

export const workspaceCreate = (slug: string, name?: string) =>
  onRuntime(async (runtime) => {
    const ctx = await createWorkspace(runtime, slug, name);
    return { id: ctx.workspace.id, slug };
  });

export const workspaceList = () =>
  onRuntime((runtime) =>
    runtime.db.rows(sql`select id, slug, name, features, created_at as created from workspace order by id`),
  );
