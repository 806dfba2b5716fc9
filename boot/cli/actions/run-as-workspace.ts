import { type Ctx, createCtx } from '../../../src/engine/ctx/ctx.ts';
import { loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { createWorkspacePrincipal } from '../../../src/engine/model/principal.ts';
import { runOnRuntime } from '../run-on-runtime.ts';

/** Calls `run` with the operator as the principal, so that `run` can call operations. */
export const runAsWorkspace = <T>(slug: string, run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  runOnRuntime(async (runtime) => {
    const { workspace, channel, requestId } = await loadSystemCtx(runtime, slug);
    const principal = createWorkspacePrincipal(slug, 'operator');
    return run(createCtx(runtime, { workspace, channel, requestId, principal }));
  });
