import { systemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import { type Ctx, createCtx } from '../../../src/engine/ctx/ctx.ts';
import { createWorkspacePrincipal } from '../../../src/engine/model/principal.ts';
import { onRuntime } from '../on-runtime.ts';

/** Runs a command that calls verbs: the operator calls them as the workspace does by a key of its own. */
export const asWorkspace = <T>(slug: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  onRuntime(async (runtime) => {
    const { workspace, channel, requestId } = await systemCtx(runtime, slug);
    const principal = createWorkspacePrincipal(slug, 'operator');
    return work(createCtx(runtime, { workspace, channel, requestId, principal }));
  });
