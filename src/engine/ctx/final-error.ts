import { isOutage } from '../../db/outage.ts';
import type { Ctx } from './ctx.ts';

/**
 * The error of a request, which must not ask to be sent again once something of it may be committed: then an outage of
 * the database is what went wrong.
 */
export const toFinalError = (ctx: Ctx, error: unknown): unknown =>
  isOutage(error) && ctx.requestDb.hasChanged() ? error.cause : error;
