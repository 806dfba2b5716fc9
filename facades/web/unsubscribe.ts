import { html } from 'hono/html';
import type { SignedLink } from '../../src/engine/identity/signed-link.ts';
import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { parseLinkQuery } from '../../src/http/link-query.ts';
import {
  buildJsonResponse,
  type Html,
  prefersHtml,
  READER_FRAME,
  type ReaderLanguage,
  redirect,
  renderHtmlPage,
  selectReaderLanguage,
} from '../../src/http/page.ts';
import type { Visit } from '../../src/http/visit.ts';
import { SUBSCRIPTION_TEXTS } from './subscription-texts.ts';

// The recipients have no account, so the signed link is their only credential.

const NO_MORE = 'You are not subscribed to this list.';

/** GET changes nothing, because link scanners follow every link. */
export async function serveUnsubscribePage({ runtime, request, requestId }: Visit): Promise<Response> {
  const query = parseLinkQuery(request);
  const action = query.get('action') ?? 'unsubscribe';
  if (action !== 'unsubscribe' && action !== 'subscribe') throw errors.badRequest('Unknown action.');
  const link = parseUnsubscribeLink(query);
  const ctx = await createLinkCtx(runtime, 'unsubscribe', link, requestId);
  const subscription =
    request.method === 'POST'
      ? await call(ctx, 'unsubscribe', { subscribed: action === 'subscribe' })
      : await call(ctx, 'unsubscribeView', {});
  const page = { lang: selectReaderLanguage(request), requestId };
  const texts = SUBSCRIPTION_TEXTS[page.lang];
  if (!subscription) return renderGonePage(page);
  const to = (next: string) => `/unsubscribe?id=${link.id}&hash=${link.hash}&action=${next}`;
  if (request.method === 'POST' && prefersHtml(request.headers)) return redirect(to(action), requestId);
  const about = { ...subscription, sender: ctx.workspace.name };
  if (!subscription.subscribed)
    return renderReaderPage(
      texts.unsubscribed,
      html`<h1>${texts.isUnsubscribed}</h1>
<p>${texts.getsNoMore(about)}</p>
<form class="card" method="post" action="${to('subscribe')}">
<p class="soft">${texts.wasMistake}</p><button>${texts.subscribeAgain}</button></form>`,
      page,
    );
  const back = action === 'subscribe' && html`<p role="status">${texts.subscribedAgain}</p>`;
  return renderReaderPage(
    texts.unsubscribe,
    html`<h1>${texts.unsubscribe}</h1>
${back}<form class="card" method="post" action="${to('unsubscribe')}">
<p>${texts.askUnsubscribe(about)}</p><button>${texts.unsubscribe}</button></form>`,
    page,
  );
}

/** One-click unsubscribe (RFC 8058). The mail client sends the request after asking its user. */
export async function unsubscribeInOneClick({ runtime, request, requestId }: Visit): Promise<Response> {
  const link = parseUnsubscribeLink(parseLinkQuery(request));
  const ctx = await createLinkCtx(runtime, 'unsubscribe', link, requestId);
  const subscription = await call(ctx, 'unsubscribe', {});
  const message = subscription ? 'You are unsubscribed.' : NO_MORE;
  return buildJsonResponse(JSON.stringify({ success: !subscription?.subscribed, message }), requestId);
}

export async function serveSubscribePage({ runtime, request, requestId }: Visit): Promise<Response> {
  const query = parseLinkQuery(request);
  const expires = query.get('expiresAt') ?? '';
  if (!/^\d{1,15}$/.test(expires))
    throw errors.badRequest('This link is not valid. Check that you copied all of it.');
  const link = { id: query.get('contactId') ?? '', hash: query.get('hash') ?? '', expires: Number(expires) };
  const ctx = await createLinkCtx(runtime, 'subscribe', link, requestId);
  const confirmation = await call(
    ctx,
    request.method === 'POST' ? 'subscriptionConfirm' : 'subscriptionConfirmView',
    {},
  );
  const page = { lang: selectReaderLanguage(request), requestId };
  const texts = SUBSCRIPTION_TEXTS[page.lang];
  if (!confirmation) return renderGonePage(page);
  if (request.method === 'POST' && prefersHtml(request.headers))
    return redirect(`/subscribe?${query}`, requestId);
  const about = { ...confirmation, sender: ctx.workspace.name };
  if (confirmation.subscribed)
    return renderReaderPage(
      texts.subscribed,
      html`<h1>${texts.isSubscribed}</h1>
<p>${texts.getsMail(about)}</p>`,
      page,
    );
  return renderReaderPage(
    texts.subscribe,
    html`<h1>${texts.confirm}</h1>
<form class="card" method="post"
action="/subscribe?contactId=${link.id}&amp;expiresAt=${expires}&amp;hash=${link.hash}">
<p>${texts.askSubscribe(about)}</p><button>${texts.yesSubscribe}</button></form>`,
    page,
  );
}

const parseUnsubscribeLink = (query: URLSearchParams): SignedLink => ({
  id: query.get('id') ?? '',
  hash: query.get('hash') ?? '',
  expires: null,
});

interface ReaderPage {
  lang: ReaderLanguage;
  requestId: string;
}

const renderReaderPage = (title: string, body: Html, { lang, requestId }: ReaderPage): Response =>
  renderHtmlPage(title, body, requestId, { ...READER_FRAME, lang });

function renderGonePage(page: ReaderPage): Response {
  const texts = SUBSCRIPTION_TEXTS[page.lang];
  return renderReaderPage(
    texts.noMoreMail,
    html`<h1>${texts.notSubscribed}</h1><p>${texts.notOnList}</p>`,
    page,
  );
}
