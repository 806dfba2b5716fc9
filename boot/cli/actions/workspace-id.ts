import { loadSystemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';

/** Id of the workspace that a list is narrowed to; null for all. @throws NOT_FOUND */
export const findWorkspaceId = async (runtime: Runtime, slug: string | undefined): Promise<number | null> =>
  slug === undefined ? null : (await loadSystemCtx(runtime, slug)).workspace.id;
