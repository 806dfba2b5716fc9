import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { buildTicketLink } from './ticket-link.ts';

export interface NamedTicket {
  id: number;
  ticket_ref: string | null;
  name: string;
  link_version: number;
}

export const buildTicketSubject = ({ ticket_ref, name }: NamedTicket): string => {
  const number = ticket_ref ? ` [#${ticket_ref}]` : '';
  const title = toSingleLine(name.replace(/^(?:(?:re|aw|fwd?)\s*:\s*)+/i, '')).slice(
    0,
    limits.helpdesk.subject,
  );
  return `Re: ${title.toWellFormed()}${number}`;
};

export function buildTicketTexts(
  ctx: Ctx,
  ticket: NamedTicket,
  { text, html }: { text: string; html: string },
) {
  const link = buildTicketLink(ctx, ticket);
  return {
    text: `${text.trimEnd()}\n\n${PAGE_LINK_TEXT}: ${link}\n`,
    html: `${html}<p><a href="${escapeHtml(link)}">${PAGE_LINK_TEXT}</a></p>`,
  };
}

const PAGE_LINK_TEXT = 'See the whole conversation';
