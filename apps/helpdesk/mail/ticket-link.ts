import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';

/** Part of the link's signature. Changing it would invalidate links in sent mail. */
export const TICKET_LINK_KIND = 'helpdesk-ticket';

/** Builds a link that lets a customer view a ticket and its replies until the ticket's links are revoked. */
export function buildTicketLink(
  { runtime, workspace }: Ctx,
  ticket: { id: number; link_version: number },
): string {
  const { secretKey, publicUrl } = runtime.config;
  const subject = `${ticket.id}.${ticket.link_version}`;
  const { id, hash } = signLink(secretKey, TICKET_LINK_KIND, workspace.id, subject);
  return `${publicUrl}/helpdesk/ticket?${new URLSearchParams({ id, hash })}`;
}
