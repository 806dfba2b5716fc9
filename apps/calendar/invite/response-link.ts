import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';

/** Part of the link's signature. Changing it would invalidate links in sent mail. */
export const RESPONSE_LINK_KIND = 'calendar-answer';

export const RESPONSE_LABELS = { accepted: 'Yes', tentative: 'Maybe', declined: 'No' } as const;

export type ResponseState = keyof typeof RESPONSE_LABELS;

/** Builds a link that lets an attendee reply without signing in. It changes nothing until a person confirms. */
export function buildResponseLink(
  { runtime, workspace }: Ctx,
  attendeeId: number,
  result: ResponseState,
): string {
  const { secretKey, publicUrl } = runtime.config;
  const { id, hash } = signLink(secretKey, RESPONSE_LINK_KIND, workspace.id, String(attendeeId));
  return `${publicUrl}/calendar/answer?${new URLSearchParams({ id, hash, answer: result })}`;
}
