import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { formatInstant } from '../../../src/engine/value/instant.ts';
import { write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { renderPreformatted } from '../../../src/message/html/plain-html.ts';
import { formatNow } from '../../kit/dates.ts';
import { postToTicket } from '../mail/post-message.ts';
import { reopenTicket } from '../mail/process-message.ts';
import { TICKET_LINK_KIND } from '../mail/ticket-link.ts';
import { findClosingStage, loadHelpdeskSetup } from '../setup.ts';
import { buildTicketPage, findVisitedTicket, TicketPageShape, type VisitedTicket } from './ticket-page.ts';

// Customer actions on the ticket page. The link, which is valid for one ticket, is the customer's only credential.

const MAX_REPLIES_PER_HOUR = 20;

const TICKET_MODEL = 'helpdesk.ticket';

const OPERATION_DEFAULTS = {
  about: TICKET_MODEL,
  type: TicketPageShape.ref as object,
  nullable: true,
} as const;

const CHANGE_POLICY: Policy = {
  auth: ['LINK'],
  link: TICKET_LINK_KIND,
  scope: 'write',
  audit: 'helpdesk.page',
};

export const helpdeskTicketPage = defineOperation('helpdeskTicketPage', {
  ...OPERATION_DEFAULTS,
  effects: ['reads'],
  policy: { auth: ['LINK'], link: TICKET_LINK_KIND, scope: 'read' },
  description: 'Returns the ticket that a link in an email belongs to, or null if the link was revoked.',
  args: () => ({}),
  run: async (ctx) => {
    const ticket = await findVisitedTicket(ctx);
    return ticket && buildTicketPage(ctx, ticket);
  },
});

const changeVisitedTicket = (ctx: Ctx, act: (tx: Ctx, ticket: VisitedTicket) => Promise<void>) =>
  ctx.tx(async (tx) => {
    const ticket = await findVisitedTicket(tx);
    if (!ticket) return null;
    await act(tx.system(), ticket);
    const after = await findVisitedTicket(tx);
    return after && buildTicketPage(tx, after);
  });

export const helpdeskTicketPageAnswer = defineOperation('helpdeskTicketPageAnswer', {
  ...OPERATION_DEFAULTS,
  effects: ['writes', 'sends'],
  policy: CHANGE_POLICY,
  description: 'Adds a reply from the customer to the ticket that a link belongs to, and reopens the ticket.',
  args: (arg) => ({ text: arg.string({ required: true, description: 'Text of the reply.' }) }),
  run: (ctx, { text }) =>
    changeVisitedTicket(ctx, async (tx, ticket) => {
      const parsed = parseVisitorText('text', text);
      if (parsed === '') throw errors.badRequest('Enter a message.');
      await rejectTooManyReplies(tx, ticket.id);
      await postToTicket(tx, ticket.id, {
        type: 'email',
        origin: 'page',
        body: renderPreformatted(parsed),
        author: ticket.partner_id,
        from: ticket.partner_email ?? ticket.partner_name ?? '',
        messageId: null,
      });
      await reopenTicket(tx, ticket);
    }),
});

export const helpdeskTicketPageClose = defineOperation('helpdeskTicketPageClose', {
  ...OPERATION_DEFAULTS,
  effects: ['writes', 'sends'],
  policy: CHANGE_POLICY,
  description: 'Closes the ticket that a link belongs to, on behalf of its customer.',
  args: () => ({}),
  run: (ctx) =>
    changeVisitedTicket(ctx, async (tx, { id, team_id, closed }) => {
      if (closed) return;
      const stage = findClosingStage(await loadHelpdeskSetup(tx), team_id);
      if (!stage) throw errors.user('This ticket cannot be closed here. Ask the support team to close it.');
      await write(tx, TICKET_MODEL, [id], { stage_id: stage.id, closed_by_partner: true });
    }),
});

const RATINGS = ['1', '3', '5'];

export const helpdeskTicketPageRate = defineOperation('helpdeskTicketPageRate', {
  ...OPERATION_DEFAULTS,
  effects: ['writes'],
  policy: CHANGE_POLICY,
  description: 'Rates the closed ticket that a link belongs to. A later rating replaces the previous one.',
  args: (arg) => ({
    rating: arg.string({
      required: true,
      description: 'Rating: 1 (dissatisfied), 3 (okay) or 5 (satisfied).',
    }),
    comment: arg.string({ defaultValue: '', description: "The customer's comment." }),
  }),
  run: (ctx, { rating, comment }) =>
    changeVisitedTicket(ctx, async (tx, { id, closed, rates }) => {
      if (!RATINGS.includes(rating)) throw errors.badRequest('rating: must be 1, 3 or 5.');
      if (!closed || !rates)
        throw errors.badRequest(
          'This ticket cannot be rated: it is still open, or its team does not use ratings.',
        );
      const parsed = parseVisitorText('comment', comment ?? '');
      const values = { rating, rating_text: parsed || false, rating_date: formatNow() };
      await write(tx, TICKET_MODEL, [id], values);
    }),
});

function parseVisitorText(name: string, text: string): string {
  if (text.length > limits.helpdesk.pageAnswer)
    throw errors.badRequest(`${name}: must have at most ${limits.helpdesk.pageAnswer} characters.`);
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .trim()
    .toWellFormed();
}

/** @throws BUSY if the ticket received too many messages from its page in the last hour */
async function rejectTooManyReplies(ctx: Ctx, ticket: number): Promise<void> {
  const since = formatInstant(Date.now() - 3_600_000);
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from mail_message m where m.workspace_id = ${ctx.workspace.id}
       and m.model = 'helpdesk.ticket' and m.res_id = ${ticket} and m.origin = 'page'
       and m.create_date > ${since}::timestamp`,
  );
  if (count >= MAX_REPLIES_PER_HOUR)
    throw errors.busy('Too many replies were sent in the last hour. Try again later.');
}
