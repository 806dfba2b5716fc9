import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';

/**
 * Returns the workspace's id, or null (all workspaces) if `slug` is undefined.
 * @throws NOT_FOUND
 */
export const findWorkspaceId = async (runtime: Runtime, slug: string | undefined): Promise<number | null> =>
  slug === undefined ? null : (await loadSystemCtx(runtime, slug)).workspace.id;
