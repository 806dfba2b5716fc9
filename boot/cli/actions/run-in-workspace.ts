import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { runOnRuntime } from '../run-on-runtime.ts';

/**
 * Runs a command without access checks, because only the operator has access to the machine. Writes an audit event.
 * @param isWhole false for work that must not run in a single transaction
 */
export const runInWorkspace = <T extends object>(
  slug: string,
  event: string,
  args: object,
  run: (ctx: Ctx) => Promise<T>,
  isWhole?: boolean,
): Promise<T> =>
  runOnRuntime(async (runtime) => runAudited(await loadSystemCtx(runtime, slug), event, args, run, isWhole));
