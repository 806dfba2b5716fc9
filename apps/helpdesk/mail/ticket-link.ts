import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';

/** The kind of the links. Part of their signature: mail that is out has it. */
export const TICKET_LINK_KIND = 'helpdesk-ticket';

/** A link by which a customer sees a ticket and answers, until links to it are revoked. */
export function buildTicketLink(
  { runtime, workspace }: Ctx,
  ticket: { id: number; link_version: number },
): string {
  const { secretKey, publicUrl } = runtime.config;
  const subject = `${ticket.id}.${ticket.link_version}`;
  const { id, hash } = signLink(secretKey, TICKET_LINK_KIND, workspace.id, subject);
  return `${publicUrl}/helpdesk/ticket?${new URLSearchParams({ id, hash })}`;
}
