import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';

// Limits the expensive message data in a response. Fields beyond the limit return an error.

/** Maximum bytes of message text, without quoted text, in one response. */
export const MAX_RESPONSE_TEXT_BYTES = 8 * 1024 * 1024;
/** Maximum characters of headers in one response. */
export const MAX_RESPONSE_HEADER_CHARS = 8 * 1024 * 1024;
/** Maximum number of message parts in one response, including attachments. */
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

export function getResponseBudget(ctx: Ctx, kind: keyof typeof RESPONSE_LIMITS): ResponseBudget {
  const name = `mail room for ${kind}`;
  let budget = ctx.loaded.get(name) as ResponseBudget | undefined;
  if (!budget) {
    budget = { limit: RESPONSE_LIMITS[kind], remaining: RESPONSE_LIMITS[kind] };
    ctx.loaded.set(name, budget);
  }
  return budget;
}

/** Spends part of the budget. The first item always fits. @returns false if the amount does not fit */
export function consumeBudget(budget: ResponseBudget, amount: number): boolean {
  if (amount > budget.remaining && budget.remaining < budget.limit) return false;
  budget.remaining -= amount;
  return true;
}
