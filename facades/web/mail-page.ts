import { html } from 'hono/html';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { call } from '../../src/engine/operation/call.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';
import { errors } from '../../src/errors.ts';
import { buildFileResponse, type WebFile } from '../../src/http/file-response.ts';
import { authenticateCaller } from '../../src/http/http.ts';
import { insertIntoHead } from '../../src/http/insert-into-head.ts';
import { type Html, redirect, renderHtmlPage } from '../../src/http/page.ts';
import { createVisitCtx, createVisitorCtx, type Visit } from '../../src/http/visit.ts';
import { formatDatabaseTime, type OutboxMail } from './outbox.ts';

interface EmailDetails {
  id: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string | null;
  html: string | null;
  text: string | null;
  latestStatus: string;
  createdAt: string;
  emailEvents: { status: string; createdAt: string; data: unknown }[];
}

interface EmailFile {
  filename: string;
  size: number;
}

const VIEWS = { html: 'HTML', text: 'Text', source: 'Source', events: 'Events' } as const;
type MailPageView = keyof typeof VIEWS;

/** Shows an email in the outbox as its recipient would see it, with its source and events. */
export async function serveMailPage(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const { id = '' } = visit.params;
  const caller = await authenticateCaller(runtime, request.headers, 'web');
  if (!caller) return redirect(`/login?next=/dev/outbox/${encodeURIComponent(id)}`, requestId);
  const ctx = createVisitCtx(visit, caller);
  const email = await loadEmail(ctx, id);
  const files: EmailFile[] = await call(ctx, 'emailAttachments', { id });
  const viewName = new URL(request.url).searchParams.get('view') ?? '';
  const view: MailPageView = Object.hasOwn(VIEWS, viewName)
    ? (viewName as MailPageView)
    : email.html === null
      ? 'text'
      : 'html';
  const sources = view === 'source' ? await loadSources(ctx, id) : [];
  const body = html`<p><a href="/dev/outbox">Outbox</a></p>
<h1>${email.subject || '(no subject)'}</h1>
${renderEmailDetails(email, files)}
<nav class="tabs" aria-label="Message sections">${renderTabs(email, view)}</nav>
${RENDERERS[view](email, sources)}`;
  return renderHtmlPage(`${email.subject || 'Email'} · Atrium`, body, requestId, { bar: '/dev/outbox' });
}

/**
 * Renders an email's HTML as a document for a frame. Scripts and remote requests are blocked, and links open in new
 * tabs. The policy is a response header, so it applies even if the document is opened directly.
 */
export async function serveMailBody(visit: Visit): Promise<Response> {
  const email = await loadEmail(await createVisitorCtx(visit), visit.params.id ?? '');
  const { requestId } = visit;
  return new Response(insertIntoHead(email.html ?? '', OPEN_IN_NEW_TABS), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'x-request-id': requestId, ...BODY_HEADERS },
  });
}

const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

const BODY_HEADERS = {
  'content-security-policy':
    `sandbox ${SANDBOX}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; ` +
    `form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const OPEN_IN_NEW_TABS = '<base target="_blank">';

export async function serveOutboxFile(visit: Visit): Promise<Response> {
  const { request, requestId, params } = visit;
  const { id = '', place = '' } = params;
  const ctx = await createVisitorCtx(visit);
  if (!/^\d{1,4}$/.test(place)) throw errors.notFound('Attachment');
  const file: WebFile = await call(ctx, 'emailAttachment', { id, place: Number(place) });
  return buildFileResponse(request, requestId, file, true);
}

async function loadEmail(ctx: Ctx, id: string): Promise<EmailDetails> {
  const email: RawJson = await call(ctx, 'emailRead', { id });
  return email.value<EmailDetails>();
}

async function loadSources(ctx: Ctx, emailId: string): Promise<OutboxMail[]> {
  const email: RawJson = await call(ctx, 'outbox', { emailId });
  return email.value<OutboxMail[]>();
}

function renderEmailDetails(email: EmailDetails, files: EmailFile[]): Html {
  const rows: [string, string][] = [
    ['From', email.from],
    ['To', email.to.join(', ')],
    ['Cc', email.cc.join(', ')],
    ['Bcc', email.bcc.join(', ')],
    ['Reply to', email.replyTo.join(', ')],
    ['Status', `${email.latestStatus}, accepted ${formatDatabaseTime(email.createdAt)}`],
    ['Id', email.id],
  ];
  const facts = rows.filter(([, value]) => value);
  return html`<div class="card"><table>${facts.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  )}${files.length > 0 && renderFilesRow(email, files)}</table></div>`;
}

const renderFilesRow = ({ id }: EmailDetails, files: EmailFile[]): Html => html`<tr>
<th scope="row">Files</th><td><ul class="plain">${files.map((file, index) => renderFileItem(id, file, index))}</ul></td>
</tr>`;

const renderFileItem = (id: string, { filename, size }: EmailFile, index: number): Html => html`<li>
<a href="/dev/outbox/${id}/files/${index}" download>${filename}</a> <span class="soft">${formatSize(size)}</span></li>`;

function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'KB'] : [bytes / 1e6, 'MB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

const renderTabs = ({ id }: EmailDetails, current: MailPageView): Html[] =>
  Object.entries(VIEWS).map(([view, name]) =>
    view === current
      ? html`<a href="/dev/outbox/${id}?view=${view}" aria-current="page">${name}</a>`
      : html`<a href="/dev/outbox/${id}?view=${view}">${name}</a>`,
  );

const RENDERERS: Record<MailPageView, (email: EmailDetails, sources: OutboxMail[]) => Html | Html[]> = {
  html: ({ id, html: text }) =>
    text === null
      ? html`<p>No HTML version.</p>`
      : html`<p class="soft">Scripts do not run, and remote images are not loaded.</p>
<iframe src="/dev/outbox/${id}/body" sandbox="${SANDBOX}" title="The HTML of the message"></iframe>`,
  text: ({ text }) => (text === null ? html`<p>${NO_TEXT}</p>` : html`<pre tabindex="0">${text}</pre>`),
  source: (_email, sources) =>
    sources.length === 0
      ? html`<p>The outbox has no source of this email.</p>`
      : sources.map(
          ({
            recipients,
            source,
            isCut,
          }) => html`<p class="soft">To ${recipients.join(', ')}${isCut && ', truncated'}</p>
<pre tabindex="0">${source}</pre>`,
        ),
  events: ({ emailEvents }) => html`<div class="card"><table>${emailEvents.map(renderEvent)}</table></div>`,
};

const NO_TEXT =
  'The email was accepted without a text version. One is generated from the HTML, as the source shows.';

const renderEvent = ({ status, createdAt, data }: EmailDetails['emailEvents'][number]): Html => html`<tr>
<th scope="row">${formatDatabaseTime(createdAt)}</th>
<td><strong>${status}</strong>${data !== null && html`<pre tabindex="0">${JSON.stringify(data, null, 2)}</pre>`}</td>
</tr>`;
