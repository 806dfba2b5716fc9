import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';

// What one answer may show of what messages have much of. What is beyond becomes an error of its field.

const MOST = {
  html: limits.mail.shownHtml,
  texts: limits.mail.shownTexts,
  headers: limits.mail.shownHeaders,
  parts: limits.mail.shownParts,
};

/** Room for bytes, or for parts. */
export interface AnswerRoom {
  most: number;
  /** Below 0 where the last that was shown was larger than the room it had. */
  left: number;
}

/** The room that the answer to a request still has for one kind. */
export function answerRoom(ctx: Ctx, kind: keyof typeof MOST): AnswerRoom {
  const name = `mail room for ${kind}`;
  let room = ctx.loaded.get(name) as AnswerRoom | undefined;
  if (!room) {
    room = { most: MOST[kind], left: MOST[kind] };
    ctx.loaded.set(name, room);
  }
  return room;
}

/** Takes some of the room; what comes first always fits. @returns false where it does not fit */
export function takeRoom(room: AnswerRoom, amount: number): boolean {
  if (amount > room.left && room.left < room.most) return false;
  room.left -= amount;
  return true;
}
