import { isOutage } from '../../db/outage.ts';
import type { Ctx } from './ctx.ts';

/**
 * Returns the error for a request that may have committed a change. The client must not be told to retry, so the cause
 * of the outage replaces BUSY.
 */
export const toFinalError = (ctx: Ctx, error: unknown): unknown =>
  isOutage(error) && ctx.requestDb.hasChanged() ? error.cause : error;
