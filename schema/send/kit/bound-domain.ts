import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** The only domain that the caller's key knows; null for a caller that knows all of the workspace. */
export const boundDomain = (ctx: Ctx): number | null => ctx.principal?.domainId ?? null;
