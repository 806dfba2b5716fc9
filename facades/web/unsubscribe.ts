import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { SignedLink } from '../../src/engine/identity/signed-link.ts';
import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { parseLinkQuery } from '../../src/http/link-query.ts';
import { buildJsonResponse, READER_FRAME, renderHtmlPage } from '../../src/http/page.ts';

// Pages for recipients of mail. They have no account: the signed link is their only credential.

const NO_MORE = 'You are not subscribed to this list.';

const goneResponse = (requestId: string): Response =>
  renderHtmlPage(
    'No more mail',
    html`<h1>You are not subscribed</h1><p>Your address is not on this list, or the list was deleted.</p>`,
    requestId,
    READER_FRAME,
  );

/** A GET request changes nothing, because link checkers follow every link. */
export async function serveUnsubscribePage(
  runtime: Runtime,
  request: Request,
  requestId: string,
): Promise<Response> {
  const query = parseLinkQuery(request);
  const requestedAction = request.method === 'POST' ? (query.get('action') ?? 'unsubscribe') : null;
  if (requestedAction !== null && requestedAction !== 'unsubscribe' && requestedAction !== 'subscribe')
    throw errors.badRequest('Unknown action.');
  const link = parseUnsubscribeLink(query);
  const ctx = await createLinkCtx(runtime, 'unsubscribe', link, requestId);
  const subscription =
    requestedAction === null
      ? await call(ctx, 'unsubscribeView', {})
      : await call(ctx, 'unsubscribe', { subscribed: requestedAction === 'subscribe' });
  if (!subscription) return goneResponse(requestId);
  const { email, list, subscribed } = subscription;
  const sender = ctx.workspace.name;
  const to = (action: string) => `/unsubscribe?id=${link.id}&hash=${link.hash}&action=${action}`;
  if (!subscribed)
    return renderHtmlPage(
      'Unsubscribed',
      html`<h1>You are unsubscribed</h1>
<p><strong>${email}</strong> will no longer receive emails from the list
<strong>${list}</strong> of <strong>${sender}</strong>.</p>
<form class="card" method="post" action="${to('subscribe')}">
<p class="soft">Was this a mistake?</p><button>Subscribe again</button></form>`,
      requestId,
      READER_FRAME,
    );
  const back = requestedAction === 'subscribe' && html`<p role="status">You are subscribed again.</p>`;
  return renderHtmlPage(
    'Unsubscribe',
    html`<h1>Unsubscribe</h1>
${back}<form class="card" method="post" action="${to('unsubscribe')}">
<p>Unsubscribe <strong>${email}</strong> from the list
<strong>${list}</strong> of <strong>${sender}</strong>?</p><button>Unsubscribe</button></form>`,
    requestId,
    READER_FRAME,
  );
}

/** One-click unsubscribe (RFC 8058): the mail program posts here after asking its user. */
export async function unsubscribeAtOnce(
  runtime: Runtime,
  request: Request,
  requestId: string,
): Promise<Response> {
  const link = parseUnsubscribeLink(parseLinkQuery(request));
  const ctx = await createLinkCtx(runtime, 'unsubscribe', link, requestId);
  const subscription = await call(ctx, 'unsubscribe', {});
  const message = subscription ? 'You are unsubscribed.' : NO_MORE;
  return buildJsonResponse(JSON.stringify({ success: !subscription?.subscribed, message }), requestId);
}

export async function serveSubscribePage(
  runtime: Runtime,
  request: Request,
  requestId: string,
): Promise<Response> {
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
  if (!confirmation) return goneResponse(requestId);
  const { email, list, subscribed } = confirmation;
  const sender = ctx.workspace.name;
  if (subscribed)
    return renderHtmlPage(
      'Subscribed',
      html`<h1>You are subscribed</h1>
<p><strong>${email}</strong> will receive emails from the list
<strong>${list}</strong> of <strong>${sender}</strong>.</p>`,
      requestId,
      READER_FRAME,
    );
  return renderHtmlPage(
    'Subscribe',
    html`<h1>Confirm your subscription</h1>
<form class="card" method="post"
action="/subscribe?contactId=${link.id}&amp;expiresAt=${expires}&amp;hash=${link.hash}">
<p>Subscribe <strong>${email}</strong> to the list
<strong>${list}</strong> of <strong>${sender}</strong>?</p><button>Yes, subscribe</button></form>`,
    requestId,
    READER_FRAME,
  );
}

const parseUnsubscribeLink = (query: URLSearchParams): SignedLink => ({
  id: query.get('id') ?? '',
  hash: query.get('hash') ?? '',
  expires: null,
});
