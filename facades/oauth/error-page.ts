import { html } from 'hono/html';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { READER_FRAME, renderHtmlPage, renderPageParts } from '../../src/http/page.ts';
import { formatRedirect } from './format-client.ts';

export function renderErrorPage(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
  back?: string,
): void {
  const body = html`<h1>Sign-in failed</h1>
<p class="card wrong" role="alert">${description ?? error}</p>
<p class="soft">Start again from the program that you want to connect. (${error})</p>
${back && html`<p class="card"><a href="${back}" rel="noreferrer">Go back to ${formatRedirect(back)}</a></p>`}`;
  const { text, headers } = renderPageParts('Sign-in failed · Atrium', body, READER_FRAME);
  ctx.set(headers);
  ctx.body = text;
}

export function renderRateLimitPage(headers: Record<string, string>, requestId: string): Response {
  const body = html`<h1>Too many requests</h1><p class="card">Try again in a minute.</p>`;
  const page = renderHtmlPage('Too many requests · Atrium', body, requestId, {
    ...READER_FRAME,
    status: 429,
  });
  for (const [name, value] of Object.entries(headers)) page.headers.set(name, value);
  return page;
}
