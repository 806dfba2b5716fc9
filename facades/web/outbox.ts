import { html } from 'hono/html';
import { call } from '../../src/engine/operation/call.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';
import { errors } from '../../src/errors.ts';
import { authenticateCaller } from '../../src/http/http.ts';
import { buildJsonResponse, type Html, prefersHtml, redirect, renderHtmlPage } from '../../src/http/page.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';

export interface OutboxMail {
  emailId: string;
  from: string;
  recipients: string[];
  subject: string | null;
  latestStatus: string;
  keptAt: string;
  source: string;
  /** True if `source` is truncated. */
  isCut: boolean;
}

/** Shows the messages stored by the local transport: JSON for programs, a page for people. */
export async function serveOutbox(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const asPage = prefersHtml(request.headers) && new URL(request.url).searchParams.get('format') !== 'json';
  const caller = await authenticateCaller(runtime, request.headers, 'web');
  if (!caller && asPage) return redirect('/login?next=/dev/outbox', requestId);
  if (!caller) throw errors.noCredential();
  const messages: RawJson = await call(createVisitCtx(visit, caller), 'outbox', {});
  if (!asPage) return buildJsonResponse(messages.text, requestId);
  const page = renderMessages(messages.value<OutboxMail[]>(), caller.workspace.name);
  return renderHtmlPage('Outbox · Atrium', page, requestId, { bar: '/dev/outbox' });
}

function renderMessages(messages: OutboxMail[], workspace: string): Html {
  return html`<h1>Outbox</h1>
<p class="soft">The newest messages of ${workspace}, stored by the local transport instead of being sent.
<a href="/dev/outbox?format=json">As JSON</a></p>
${messages.length === 0 ? NO_MESSAGES : html`<ul class="card plain mails">${messages.map(renderMessage)}</ul>`}`;
}

const NO_MESSAGES = html`<p class="card">
  No messages yet. <a href="/">The start page</a> shows a command that sends one.
</p>`;

const renderMessage = (message: OutboxMail): Html => html`<li>
<a href="/dev/outbox/${message.emailId}">${message.subject || '(no subject)'}</a>
<div class="soft">${message.from} → ${message.recipients.join(', ')}</div>
<div class="soft">${message.latestStatus}, ${formatDatabaseTime(message.keptAt)}</div>
</li>`;

export const formatDatabaseTime = (instant: string): string =>
  `${instant.slice(0, 19).replace('T', ' ')} UTC`;
