import { html } from 'hono/html';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { SignedLink } from '../../src/engine/identity/signed-link.ts';
import { call } from '../../src/engine/operation/call.ts';
import type { Operations } from '../../src/engine/operation/operation.ts';
import { AppError, errors } from '../../src/errors.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { parseLinkQuery } from '../../src/http/link-query.ts';
import { type ReaderLanguage, redirect, renderHtmlPage, selectReaderLanguage } from '../../src/http/page.ts';
import { readPublicForm } from '../../src/http/public-form.ts';
import type { Visit } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';

// The ticket page for customers without an account. The signed link is their only credential.

const MAX_FORM_BYTES = 64 * 1024;

const PATH = '/helpdesk/ticket';

/** GET changes nothing, because link scanners follow every link. */
export async function serveTicketPage({ runtime, request, requestId }: Visit): Promise<Response> {
  const query = parseLinkQuery(request);
  const link = { id: query.get('id') ?? '', hash: query.get('hash') ?? '', expires: null };
  const ctx = await createVisitorCtx(runtime, link, requestId);
  const path = `${PATH}?${new URLSearchParams({ id: link.id, hash: link.hash })}`;
  if (request.method === 'POST') {
    await receiveReply(runtime, ctx, request);
    return redirect(path, requestId);
  }
  const ticket = await call(ctx, 'helpdeskTicketPage', {});
  if (!ticket) throw errors.notFound('Ticket');
  const lang = selectReaderLanguage(request);
  const body = renderTicket(ticket, path, lang);
  return renderHtmlPage(`${ticket.subject} #${ticket.number}`, body, requestId, { bar: null, lang });
}

/** Treats an invalid link like a revoked one. @throws NOT_FOUND */
async function createVisitorCtx(runtime: Runtime, link: SignedLink, requestId: string): Promise<Ctx> {
  try {
    return await createLinkCtx(runtime, 'helpdesk-ticket', link, requestId);
  } catch (error) {
    throw error instanceof AppError && error.status < 500 ? errors.notFound('Ticket') : error;
  }
}

/** @throws BUSY after too many replies from the address, NOT_FOUND if the link was revoked */
async function receiveReply(runtime: Runtime, ctx: Ctx, request: Request): Promise<void> {
  const form = await readPublicForm(runtime, request, PATH, MAX_FORM_BYTES);
  // Honeypot: people don't see this field, so only bots fill it in.
  if (form.get('homepage')) return;
  if (!(await saveReply(ctx, form))) throw errors.notFound('Ticket');
}

function saveReply(ctx: Ctx, form: URLSearchParams): Promise<unknown> {
  const text = (name: string): string => form.get(name) ?? '';
  switch (form.get('action')) {
    case 'answer':
      return call(ctx, 'helpdeskTicketPageAnswer', { text: text('text') });
    case 'close':
      return call(ctx, 'helpdeskTicketPageClose', {});
    case 'rate':
      return call(ctx, 'helpdeskTicketPageRate', { rating: text('rating'), comment: text('comment') });
    default:
      throw errors.badRequest('Unknown action.');
  }
}

type TicketView = NonNullable<Operations['helpdeskTicketPage']['value']>;

const TEXTS = {
  en: {
    reply: 'Your reply',
    replyReopens: 'Still not solved? Your reply reopens the ticket.',
    leaveEmpty: 'Leave this field empty',
    send: 'Send',
    markSolved: 'Mark as solved',
    question: 'How satisfied are you?',
    ratings: { 5: 'Satisfied', 3: 'Okay', 1: 'Dissatisfied' },
    comment: 'Comment',
    rate: 'Rate',
  },
  de: {
    reply: 'Ihre Antwort',
    replyReopens: 'Noch nicht gelöst? Ihre Antwort öffnet das Ticket wieder.',
    leaveEmpty: 'Lassen Sie dieses Feld leer',
    send: 'Senden',
    markSolved: 'Als gelöst markieren',
    question: 'Wie zufrieden sind Sie?',
    ratings: { 5: 'Zufrieden', 3: 'In Ordnung', 1: 'Unzufrieden' },
    comment: 'Kommentar',
    rate: 'Bewerten',
  },
} satisfies Record<ReaderLanguage, object>;

function renderTicket({ messages, ...ticket }: TicketView, path: string, lang: ReaderLanguage) {
  const texts = TEXTS[lang];
  return html`<h1>${ticket.subject}</h1>
<p class="soft">${[`#${ticket.number}`, ticket.team, ticket.stage].filter(Boolean).join(' · ')}</p>
${messages.map((message) => renderMessage(message, ticket.team))}
${ticket.canRate && renderRatingForm(ticket.rating, path, lang)}
<form class="card" method="post" action="${path}">
<input type="hidden" name="action" value="answer">
<label for="text">${ticket.isClosed ? texts.replyReopens : texts.reply}</label>
<textarea id="text" name="text" rows="8" required maxlength="${limits.helpdesk.pageAnswer}"></textarea>
<label hidden>${texts.leaveEmpty} <input name="homepage" tabindex="-1" autocomplete="off"></label>
<button>${texts.send}</button>
</form>
${
  !ticket.isClosed &&
  html`<form method="post" action="${path}"><input type="hidden" name="action" value="close">
<button class="second">${texts.markSolved}</button></form>`
}`;
}

const renderMessage = (
  { author, isCustomer, date, text, files }: TicketView['messages'][number],
  team: string | null,
) =>
  html`<div class="card"><p class="soft"><strong>${author || team || ''}</strong>${isCustomer ? '' : html` · ${team}`}
 · <time datetime="${date}">${date.slice(0, 16).replace('T', ' ')} UTC</time></p>
<pre>${text}</pre>${files.length > 0 && html`<p class="soft">${files.join(', ')}</p>`}</div>`;

function renderRatingForm(rating: string | null, path: string, lang: ReaderLanguage) {
  const texts = TEXTS[lang];
  return html`<form class="card" method="post" action="${path}"><input type="hidden" name="action" value="rate">
<fieldset class="bare"><legend>${texts.question}</legend>
${Object.entries(texts.ratings)
  .reverse()
  .map(
    ([value, label]) =>
      html`<label class="choice">
<input type="radio" name="rating" value="${value}" required${rating === value && ' checked'}>${label}</label>`,
  )}
</fieldset>
<label for="comment">${texts.comment}</label><textarea id="comment" name="comment" rows="3"
 maxlength="${limits.helpdesk.pageAnswer}"></textarea>
<button>${texts.rate}</button></form>`;
}
