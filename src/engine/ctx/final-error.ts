import { isOutage } from '../../db/outage.ts';
import type { Ctx } from './ctx.ts';

/** Replaces BUSY with its cause if the request may have committed a change, because the client must not retry it. */
export const toFinalError = (ctx: Ctx, error: unknown): unknown =>
  isOutage(error) && ctx.requestDb.hasChanged() ? error.cause : error;
