import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { AppError } from '../errors.ts';
import { selectAcceptedTypes, selectLanguage } from './accept.ts';
import { BAR_STYLE, ICON_LINK, renderBar, STYLE_TOKENS } from './page-theme.ts';

/** A fragment of a page. Hono escapes every value in it that is not itself a fragment. */
export type Html = ReturnType<typeof html>;

const PAGE_STYLE = `${STYLE_TOKENS}${BAR_STYLE}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
main.narrow { max-width: 26rem; padding-top: 12vh }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2rem 0 .75rem }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.soft { color: var(--soft) }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem 1.15rem; margin: .75rem 0
}
table { border-collapse: collapse; width: 100% }
th { text-align: left; font-weight: 400; color: var(--soft); white-space: nowrap }
th, td { border-top: 1px solid var(--line); padding: .45rem .75rem .45rem 0; vertical-align: top }
td { overflow-wrap: anywhere }
.stack td, .stack code { overflow-wrap: break-word }
tr:first-child th, tr:first-child td { border-top: 0 }
code { overflow-wrap: anywhere }
pre {
  overflow: auto; max-height: 40rem; margin: .5rem 0 0; padding: .75rem; border-radius: 6px;
  background: var(--sunk); border: 1px solid var(--line);
  font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere
}
pre.copy { user-select: all }
form.line { display: inline }
fieldset.bare { border: 0; margin: 0; padding: 0 }
legend { padding: 0; font-weight: 600 }
fieldset.bare.card { border: 1px solid var(--line); margin: .75rem 0; padding: .75rem 1.15rem }
fieldset.card legend { float: left; width: 100% }
fieldset.card legend + * { clear: both }
label.choice { display: flex; gap: .6rem; align-items: flex-start; margin: .5rem 0 0 }
label.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; padding: 0 }
main.narrow:has(.decision) { max-width: 34rem; padding: 1.5rem 1.25rem 1rem }
main:has(.decision) h1 { font-size: 1.4rem }
main:has(.decision) p { margin: .5rem 0 }
main:has(.decision) .card { margin: .6rem 0; padding: .6rem 1rem }
p.decision.card { position: sticky; bottom: .5rem; display: flex; gap: .5rem; box-shadow: 0 0 0 .5rem var(--paper) }
p.decision button { margin: 0; min-height: 2.75rem; flex: 1 }
button.second { margin-left: .5rem; background: none; color: var(--accent); border: 1px solid var(--line-strong) }
label { display: block; margin: .75rem 0 .25rem }
input, textarea {
  width: 100%; padding: .55rem .65rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--line-strong); border-radius: 6px
}
button {
  margin-top: 1rem; padding: .5rem 1.1rem; font: inherit; color: var(--card);
  background: var(--accent); border: 0; border-radius: 6px; cursor: pointer
}
form.line button { margin: 0; padding: 0; background: none; color: var(--accent); text-decoration: underline }
.wrong { border-color: var(--wrong) }
.plain { list-style: none; margin: 0; padding: 0 }
.mails li { border-top: 1px solid var(--line); padding: .6rem 1.15rem }
.mails li:first-child { border-top: 0 }
.mails .soft { font-size: .9rem; overflow-wrap: anywhere }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1rem; border-bottom: 1px solid var(--line) }
.tabs a { display: inline-block; padding: .35rem 0; text-decoration: none }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; border-bottom: 2px solid var(--accent) }
iframe { width: 100%; height: 70vh; border: 1px solid var(--line); border-radius: 6px; background: #fff }
@media (max-width: 40rem) {
  .stack tr { display: block; border-top: 1px solid var(--line); padding: .5rem 0 }
  .stack tr:first-child { border-top: 0 }
  .stack td { display: block; border: 0; padding: 0 }
}
`;

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** Pages run no scripts and load nothing. The only allowed style is identified by its hash. */
const SECURITY_HEADERS = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self' data:; frame-src 'self'; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** `bar` is the current path in the navigation bar, or null for no bar. */
interface PageFrame {
  bar: string | null;
  narrow?: boolean;
  lang?: ReaderLanguage;
}

/** Used for pages that mail recipients can open without an account. */
export const READER_FRAME: PageFrame = { bar: null, narrow: true };

export type ReaderLanguage = 'en' | 'de';

/** A person without an account has no language setting, so the browser's is used. */
export const selectReaderLanguage = ({ headers }: Request): ReaderLanguage =>
  selectLanguage(headers.get('accept-language'), ['en', 'de']);

export function renderHtmlPage(
  title: string,
  body: Html,
  requestId: string,
  { status = 200, ...frame }: PageFrame & { status?: number },
): Response {
  const { text, headers } = renderPageParts(title, body, frame);
  return new Response(text, { status, headers: { 'x-request-id': requestId, ...headers } });
}

export function renderPageParts(
  title: string,
  body: Html,
  { bar, narrow = false, lang = 'en' }: PageFrame,
): { text: string; headers: Record<string, string> } {
  const text = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${raw(ICON_LINK)}
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>${bar !== null && raw(renderBar(bar))}<main${narrow && raw(' class="narrow"')}>
${body}
</main></body>
</html>
`;
  // The result is a promise only if one of the values is a promise.
  if (text instanceof Promise) throw new Error('a page must be built from values, not promises');
  return { text: `${text}`, headers: { 'content-type': 'text/html; charset=utf-8', ...SECURITY_HEADERS } };
}

export const buildJsonResponse = (text: string, requestId: string, status = 200): Response =>
  new Response(text, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
      ...SECURITY_HEADERS,
    },
  });

export function buildJsonErrorResponse({ kind, message, status }: AppError, requestId: string): Response {
  const response = buildJsonResponse(JSON.stringify({ error: { code: kind, message } }), requestId, status);
  if (status === 401) response.headers.set('www-authenticate', 'bearer');
  return response;
}

export const redirect = (path: string, requestId: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location: path, 'x-request-id': requestId, ...SECURITY_HEADERS, ...headers },
  });

export const prefersHtml = (headers: Headers): boolean =>
  selectAcceptedTypes(headers.get('accept'), ['application/json', 'text/html'])[0] === 'text/html';
