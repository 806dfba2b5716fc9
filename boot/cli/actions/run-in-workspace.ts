import { loadSystemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { runOnRuntime } from '../run-on-runtime.ts';

/**
 * Runs a command on a workspace. Its right is the access to the machine; what it changes goes to the audit trail.
 * @param whole false for work that must not be one transaction
 */
export const runInWorkspace = <T extends object>(
  slug: string,
  event: string,
  args: object,
  work: (ctx: Ctx) => Promise<T>,
  whole?: boolean,
): Promise<T> =>
  runOnRuntime(async (runtime) => runAudited(await loadSystemCtx(runtime, slug), event, args, work, whole));
