import { systemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';

/** Id of the workspace that a list is narrowed to; null for all. @throws NOT_FOUND */
export const workspaceId = async (runtime: Runtime, slug: string | undefined): Promise<number | null> =>
  slug === undefined ? null : (await systemCtx(runtime, slug)).workspace.id;
