import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { toSingleLine } from '../../../src/one-line.ts';
import { ticketLink } from './ticket-link.ts';

/** What every mail about a ticket names. */
export interface NamedTicket {
  id: number;
  ticket_ref: string | null;
  name: string;
  link_version: number;
}

/** The subject of a mail about a ticket. */
export const letterSubject = ({ ticket_ref, name }: NamedTicket): string => {
  const number = ticket_ref ? ` [#${ticket_ref}]` : '';
  const title = toSingleLine(name.replace(/^(?:(?:re|aw|fwd?)\s*:\s*)+/i, '')).slice(
    0,
    limits.helpdesk.subject,
  );
  return `Re: ${title.toWellFormed()}${number}`;
};

/** Text and HTML of a mail about a ticket, with the link to its page below. */
export function letterTexts(ctx: Ctx, ticket: NamedTicket, { text, html }: { text: string; html: string }) {
  const link = ticketLink(ctx, ticket);
  return {
    text: `${text.trimEnd()}\n\n${PAGE}: ${link}\n`,
    html: `${html}<p><a href="${escapeHtml(link)}">${PAGE}</a></p>`,
  };
}

const PAGE = 'See the whole conversation';
