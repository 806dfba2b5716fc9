import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';

// Questions that anybody may ask of a workspace whose name they know; each decides by itself what it tells.

type Answer = (ctx: Ctx, args: Record<string, unknown>) => Promise<unknown>;

const answers = new Map<string, Answer>();

/** Declares a question. The ctx has no principal. */
export function defineOpen(name: string, answer: Answer): void {
  answers.set(name, answer);
}

/** Asks it; null when there is no such workspace. */
export async function askOpen<T>(
  runtime: Runtime,
  slug: string,
  name: string,
  args: Record<string, unknown>,
  requestId: string,
): Promise<T | null> {
  const workspace = await runtime.identity.workspace(slug);
  if (!workspace) return null;
  const ctx = createCtx(runtime, { workspace, principal: null, channel: 'web', requestId });
  return (await answers.get(name)!(ctx, args)) as T | null;
}
