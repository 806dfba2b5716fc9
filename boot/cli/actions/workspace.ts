import { createInterface } from 'node:readline';
import { createWorkspace, systemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import { closeWorkspace, deleteRows } from '../../../schema/base/workspace/delete-workspace.ts';
import { changeSlug, renameWorkspace } from '../../../schema/base/workspace/workspace.ts';
import { emptyBucket } from '../../../src/db/blobs/remove-all.ts';
import { sql } from '../../../src/db/sql.ts';
import { createCtx } from '../../../src/engine/ctx/ctx.ts';
import { workspacePrincipal } from '../../../src/engine/model/principal.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { errors } from '../../../src/errors.ts';
import { withInstants } from '../instant.ts';
import { onRuntime } from '../on-runtime.ts';
import { inWorkspace } from './in-workspace.ts';

/** @param apps names separated by commas, or `none` */
export const workspaceCreate = (slug: string, name?: string, apps?: string) =>
  onRuntime(async (runtime) => {
    const chosen = apps === 'none' ? [] : apps?.split(',').map((each) => each.trim());
    const ctx = await createWorkspace(runtime, slug, name, undefined, chosen);
    return { id: ctx.workspace.id, slug };
  });

/** Changes what is given: the display name, the slug. @throws BAD_REQUEST when neither is */
export function workspaceRename(slug: string, name: string | null, newSlug: string | null) {
  if (name === null && newSlug === null)
    throw errors.badRequest('Say what to change: a new display name, or --slug and a new slug.');
  return inWorkspace(slug, 'workspace.rename', { name, slug: newSlug }, async (ctx) => ({
    id: ctx.workspace.id,
    slug: newSlug === null ? slug : await changeSlug(ctx, newSlug),
    name: name === null ? ctx.workspace.name : await renameWorkspace(ctx, name),
  }));
}

export const workspaceList = () =>
  onRuntime(async (runtime) => {
    const rows = await runtime.db.rows<{ created: string }>(
      sql`select id, slug, name, features, created_at as created from workspace order by id`,
    );
    return rows.map((row) => withInstants(row, 'created'));
  });

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
    await emptyBucket({ db: runtime.db, workspace, runtime });
    return { id: workspace.id, slug, ...(await deleteRows(runtime, workspace.id)), deleted: true };
  });

/** A line of stdin; '' where there is none. */
async function askedFor(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
