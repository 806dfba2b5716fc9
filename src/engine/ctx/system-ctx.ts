import { errors } from '../../errors.ts';
import { type Ctx, createCtx } from './ctx.ts';
import type { Runtime } from './runtime.ts';
import type { Workspace } from './workspace.ts';

/** Creates a context for commands and jobs that skips access rights and record rules. */
export const createSystemCtx = (runtime: Runtime, workspace: Workspace): Ctx =>
  createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'system' }).system();

/** @throws NOT_FOUND */
export async function loadSystemCtx(runtime: Runtime, slug: string): Promise<Ctx> {
  const workspace = await runtime.identity.workspace(slug);
  if (!workspace) throw errors.notFound(`Workspace ${slug}`);
  return createSystemCtx(runtime, workspace);
}

/** Creates a system context without loading the workspace, for code that needs neither its models nor its name. */
export const createBareCtx = (runtime: Runtime, workspaceId: number): Ctx =>
  createSystemCtx(runtime, { ...createEmptyWorkspace(runtime), id: workspaceId });

export const createEmptyWorkspace = (runtime: Runtime): Workspace => ({
  id: 0,
  slug: '',
  name: '',
  features: new Set(),
  catalog: runtime.catalogs.none,
});
