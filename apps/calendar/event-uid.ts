import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';

export const createEventUid = (ctx: Ctx): string =>
  `${randomUUID()}@${new URL(ctx.runtime.config.publicUrl).hostname}`;
