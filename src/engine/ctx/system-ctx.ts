import { errors } from '../../errors.ts';
import { type Ctx, createCtx } from './ctx.ts';
import type { Runtime } from './runtime.ts';
import type { Workspace } from './workspace.ts';

/** Creates a system context, for commands and jobs. It skips access rights and record rules. */
export const createSystemCtx = (runtime: Runtime, workspace: Workspace): Ctx =>
  createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'system' }).system();

/** @throws NOT_FOUND */
export async function loadSystemCtx(runtime: Runtime, slug: string): Promise<Ctx> {
  const workspace = await runtime.identity.workspace(slug);
  if (!workspace) throw errors.notFound(`Workspace ${slug}`);
  return createSystemCtx(runtime, workspace);
}

/** Creates a system context that loads nothing, for code that needs neither models nor the workspace's name. */
export const createBareCtx = (runtime: Runtime, workspaceId: number): Ctx =>
  createSystemCtx(runtime, { ...createEmptyWorkspace(runtime), id: workspaceId });

/** Creates a workspace without a name, features and a catalog, whose id is 0. */
export const createEmptyWorkspace = (runtime: Runtime): Workspace => ({
  id: 0,
  slug: '',
  name: '',
  features: new Set(),
  catalog: runtime.catalogs.none,
});
