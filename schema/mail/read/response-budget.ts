import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';

// What one answer may show of what messages have much of. What is beyond becomes an error of its field.

const RESPONSE_LIMITS = {
  html: limits.mail.shownHtml,
  texts: limits.mail.shownTexts,
  headers: limits.mail.shownHeaders,
  parts: limits.mail.shownParts,
};

/** Room for bytes, or for parts. */
export interface ResponseBudget {
  limit: number;
  /** Below 0 where the last that was shown was larger than the room it had. */
  left: number;
}

/** The room that the answer to a request still has for one kind. */
export function getResponseBudget(ctx: Ctx, kind: keyof typeof RESPONSE_LIMITS): ResponseBudget {
  const name = `mail room for ${kind}`;
  let room = ctx.loaded.get(name) as ResponseBudget | undefined;
  if (!room) {
    room = { limit: RESPONSE_LIMITS[kind], left: RESPONSE_LIMITS[kind] };
    ctx.loaded.set(name, room);
  }
  return room;
}

/** Takes some of the room; what comes first always fits. @returns false where it does not fit */
export function consumeBudget(room: ResponseBudget, amount: number): boolean {
  if (amount > room.left && room.left < room.limit) return false;
  room.left -= amount;
  return true;
}
