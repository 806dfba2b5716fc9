import { createInterface } from 'node:readline';
import { createWorkspace, systemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import { closeWorkspace, deleteRows } from '../../../schema/base/workspace/delete-workspace.ts';
import { renameWorkspace } from '../../../schema/base/workspace/workspace.ts';
import { sql } from '../../../src/db/sql.ts';
import { createCtx } from '../../../src/engine/ctx/ctx.ts';
import { workspacePrincipal } from '../../../src/engine/model/principal.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { errors } from '../../../src/errors.ts';
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

/**
 * Deletes a workspace with all its rows, its sending domains at the provider first.
 * @param confirmed the slug once more; null to ask for it
 * @throws BAD_REQUEST when that is not the slug, and then nothing is changed
 */
export const workspaceDelete = (slug: string, confirmed: string | null) =>
  onRuntime(async (runtime) => {
    const { workspace, channel, requestId } = await systemCtx(runtime, slug);
    const typed = confirmed ?? (await askedFor(`This deletes ${slug} and all it holds. Type its slug: `));
    if (typed !== slug) throw errors.badRequest(`Nothing was deleted: "${typed}" is not ${slug}.`);
    // One that has the feature switched off may still have domains.
    const features = new Set([...workspace.features, 'email']);
    const ctx = createCtx(runtime, {
      workspace: { ...workspace, features },
      channel,
      requestId,
      principal: workspacePrincipal(slug, 'operator'),
    });
    const domains = await runtime.db.rows<{ id: number }>(
      sql`select id from svc_domain where workspace_id = ${workspace.id}`,
    );
    for (const { id } of domains) await call(ctx, 'domainDelete', { id });
    await closeWorkspace(runtime, workspace.id);
    return { id: workspace.id, slug, ...(await deleteRows(runtime, workspace.id)), deleted: true };
  });

/** A line of stdin; '' where there is none. */
async function askedFor(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
