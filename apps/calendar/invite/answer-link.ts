import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';

/** The kind of the links. Part of their signature: mail that is out has it. */
export const ANSWER_LINK = 'calendar-answer';

/** What an attendee may answer, and what it says. */
export const ANSWERS = { accepted: 'Yes', tentative: 'Maybe', declined: 'No' } as const;

export type AnswerState = keyof typeof ANSWERS;

/** A link by which an attendee answers without signing in. It changes nothing until a person confirms. */
export function answerLink({ runtime, workspace }: Ctx, attendeeId: number, answer: AnswerState): string {
  const { secretKey, publicUrl } = runtime.config;
  const { id, hash } = signLink(secretKey, ANSWER_LINK, workspace.id, String(attendeeId));
  return `${publicUrl}/calendar/answer?${new URLSearchParams({ id, hash, answer })}`;
}
