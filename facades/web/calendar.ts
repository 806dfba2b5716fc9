import { html } from 'hono/html';
import { call } from '../../src/engine/operation/call.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { createAbortLogger, matchesEtag } from '../../src/http/http.ts';
import { parseLinkQuery } from '../../src/http/link-query.ts';
import {
  prefersHtml,
  READER_FRAME,
  type ReaderLanguage,
  redirect,
  renderHtmlPage,
  selectReaderLanguage,
} from '../../src/http/page.ts';
import { streamBody } from '../../src/http/stream-body.ts';
import type { Visit } from '../../src/http/visit.ts';

// Pages for external calendars and people without an account. The signed link is their only credential.

const TEXTS = {
  en: {
    replies: { accepted: 'Yes', tentative: 'Maybe', declined: 'No' },
    noReply: 'No response yet',
    /** Label of the button for the reply that the recipient chose in the email. */
    reply: (word: string) => `Reply: ${word}`,
    question: 'Will you attend?',
    invitation: 'Invitation',
    ended: 'This event has ended',
    endedText: 'It has ended or was canceled.',
  },
  de: {
    replies: { accepted: 'Ja', tentative: 'Vielleicht', declined: 'Nein' },
    noReply: 'Noch keine Antwort',
    reply: (word: string) => `Antwort: ${word}`,
    question: 'Nehmen Sie teil?',
    invitation: 'Einladung',
    ended: 'Dieser Termin ist vorbei',
    endedText: 'Er ist vorbei oder wurde abgesagt.',
  },
} satisfies Record<ReaderLanguage, object>;

/** GET changes nothing, because link scanners follow every link. */
export async function serveInvitationPage({ runtime, request, requestId }: Visit): Promise<Response> {
  const query = parseLinkQuery(request);
  const link = { id: query.get('id') ?? '', hash: query.get('hash') ?? '', expires: null };
  const ctx = await createLinkCtx(runtime, 'calendar-answer', link, requestId);
  const answerText = query.get('answer') ?? '';
  const isAnswer = request.method === 'POST';
  const invitation = isAnswer
    ? await call(ctx, 'calendarInvitationAnswer', { answer: answerText })
    : await call(ctx, 'calendarInvitation', {});
  const lang = selectReaderLanguage(request);
  const texts = TEXTS[lang];
  if (!invitation)
    return renderHtmlPage(
      texts.invitation,
      html`<h1>${texts.ended}</h1><p>${texts.endedText}</p>`,
      requestId,
      { ...READER_FRAME, lang },
    );
  if (isAnswer && prefersHtml(request.headers))
    return redirect(`/calendar/answer?${new URLSearchParams({ id: link.id, hash: link.hash })}`, requestId);
  const { name, when, organizer, attendee, state } = invitation;
  const buildResponsePath = (result: string) =>
    `/calendar/answer?${new URLSearchParams({ id: link.id, hash: link.hash, answer: result })}`;
  const first = isAnswer ? '' : answerText;
  const buttons = Object.entries(texts.replies)
    .sort(([a], [b]) => Number(b === first) - Number(a === first))
    .map(
      ([result, word]) =>
        html`<form method="post" action="${buildResponsePath(result)}">
<button>${result === first ? texts.reply(word) : word}</button>
</form>`,
    );
  const reply = texts.replies[state as keyof typeof texts.replies] ?? texts.noReply;
  return renderHtmlPage(
    name,
    html`<h1>${name}</h1>
<p>${when}${organizer && html`<br>${organizer}`}</p>
<p role="status">${attendee}: <strong>${reply}</strong></p>
<div class="card"><p>${texts.question}</p>${buttons}</div>`,
    requestId,
    { ...READER_FRAME, lang },
  );
}

export async function serveCalendarFeed({ runtime, request, requestId, params }: Visit): Promise<Response> {
  const link = { id: params.id ?? '', hash: params.hash ?? '', expires: null };
  const ctx = await createLinkCtx(runtime, 'calendar-feed', link, requestId);
  const { etag: tag, file } = await call(ctx, 'calendarFeed', {});
  const headers = {
    etag: `"${tag}"`,
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename=calendar.ics',
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': requestId,
  };
  if (matchesEtag(request.headers.get('if-none-match'), headers.etag))
    return new Response(null, { status: 304, headers });
  if (request.method === 'HEAD') return new Response(null, { headers });
  return new Response(await streamBody(file, createAbortLogger(runtime, requestId)), { headers });
}
