import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../../src/engine/ctx/loader.ts';
import { limits } from '../../../src/limits.ts';

// Limits expensive message data per response. Fields beyond the limit return an error.

/** Maximum bytes of texts from which replies are extracted. Quotes and signatures count toward the limit. */
export const MAX_RESPONSE_TEXT_BYTES = 8 * 1024 * 1024;
export const MAX_RESPONSE_HEADER_CHARS = 8 * 1024 * 1024;
/** Number of message parts, including attachments. */
export const MAX_RESPONSE_PARTS = 10_000;

const RESPONSE_LIMITS = {
  html: limits.mail.responseHtmlBytes,
  texts: MAX_RESPONSE_TEXT_BYTES,
  headers: MAX_RESPONSE_HEADER_CHARS,
  parts: MAX_RESPONSE_PARTS,
};

interface ResponseBudget {
  limit: number;
  /** Negative if the last item exceeded the budget. */
  remaining: number;
}

export const getResponseBudget = (ctx: Ctx, kind: keyof typeof RESPONSE_LIMITS): ResponseBudget =>
  getLoaded(ctx, `mail room for ${kind}`, () => ({
    limit: RESPONSE_LIMITS[kind],
    remaining: RESPONSE_LIMITS[kind],
  }));

/** The first item always fits, so that a single large message can be read. @returns false if the amount does not fit */
export function consumeBudget(budget: ResponseBudget, amount: number): boolean {
  if (amount > budget.remaining && budget.remaining < budget.limit) return false;
  budget.remaining -= amount;
  return true;
}
