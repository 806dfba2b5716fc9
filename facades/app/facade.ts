import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import {
  findSessionToken,
  findVisitor,
  getRequestId,
  getUrlPath,
  type RequestHandler,
} from '../../src/http/http.ts';
import { redirect, renderHtmlPage } from '../../src/http/page.ts';
import { type BuiltApp, loadBuiltApp } from './built.ts';

const ASSETS_PATH = '/app/assets/';

/**
 * Allows resources only from this server, and inline scripts by hash. Trusted Types restrict HTML to named policies;
 * the `default` policy sanitizes it.
 */
const buildPolicy = ({ inlineScripts }: BuiltApp): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScripts].join(' '),
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default dompurify ProseMirrorClipboard',
  ].join('; ');

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/**
 * Serves the browser application at `/app`, with the same page for every path below it. Redirects unauthenticated
 * clients to the login page.
 */
export function createAppFacade(runtime: Runtime): RequestHandler {
  return {
    async fetch(request) {
      const requestId = getRequestId(request.headers);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, {
          status: 405,
          headers: { allow: 'GET, HEAD', 'x-request-id': requestId },
        });
      const app = await loadBuiltApp();
      const path = getUrlPath(request.url);
      if (path.startsWith(ASSETS_PATH))
        return serveAppAsset(app, request, path.slice(ASSETS_PATH.length), requestId);
      if (!(await findVisitor(runtime, request.headers))) return redirectToLogin(runtime, request, requestId);
      return app ? renderPage(app, requestId) : renderNotBuiltPage(requestId);
    },
  };
}

async function serveAppAsset(
  app: BuiltApp | null,
  request: Request,
  name: string,
  requestId: string,
): Promise<Response> {
  const response = await app?.file(request, name);
  return response ?? new Response('Not found', { status: 404, headers: { 'x-request-id': requestId } });
}

function redirectToLogin(runtime: Runtime, request: Request, requestId: string): Response {
  const { pathname, search } = new URL(request.url);
  const endedParam = findSessionToken(runtime, request.headers) ? 'ended=1&' : '';
  return redirect(`/login?${endedParam}next=${encodeURIComponent(pathname + search)}`, requestId);
}

const renderPage = (app: BuiltApp, requestId: string): Response =>
  new Response(app.index, {
    headers: { ...PAGE_HEADERS, 'content-security-policy': buildPolicy(app), 'x-request-id': requestId },
  });

const renderNotBuiltPage = (requestId: string): Response =>
  renderHtmlPage(
    'Atrium',
    html`<h1>The application is not built</h1>
<p>Build it with <code>node scripts/setup.mjs</code> and reload this page.</p>`,
    requestId,
    { status: 503, bar: '/app' },
  );
