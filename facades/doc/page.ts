import { randomBytes } from 'node:crypto';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { findVisitor, getRequestId } from '../../src/http/http.ts';
import { BAR_STYLE, ICON_LINK, renderBar, STYLE_TOKENS } from '../../src/http/page-theme.ts';
import { loadAssets } from './assets.ts';

/**
 * Serves `/doc` and `/doc/<model>`: an HTML shell that tells its script whether the visitor is signed in. The script
 * renders the content.
 */
export async function renderDocPage(runtime: Runtime, request: Request): Promise<Response> {
  const caller = await findVisitor(runtime, request.headers);
  const nonce = randomBytes(16).toString('base64');
  const { version } = await loadAssets();
  return new Response(renderFrame(`/doc/assets/${version}`, nonce, caller !== null), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': buildContentPolicy(nonce),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-request-id': getRequestId(request.headers),
    },
  });
}

/** Allows scripts and styles that have the response's nonce. Imported modules inherit it. */
const buildContentPolicy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
  `img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const renderFrame = (base: string, nonce: string, hasSession: boolean): string => `<!doctype html>
<html lang="en" data-session="${hasSession}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Models · Atrium</title>
${ICON_LINK}
<style nonce="${nonce}">${STYLE_TOKENS}${BAR_STYLE}</style>
<link rel="stylesheet" href="${base}/style.css" nonce="${nonce}">
<script type="module" src="${base}/main.js" nonce="${nonce}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${renderBar('/doc')}
<section class="tools" aria-label="Account">
<strong><a id="home" href="/doc">Models</a></strong>
<span id="who"></span>
</section>
<div class="columns">
<nav id="models" aria-label="Models" hidden>
<label for="search">Search models, fields, methods <kbd>/</kbd></label>
<input id="search" type="search" autocomplete="off" spellcheck="false" aria-controls="found">
<p id="count" class="soft" role="status"></p>
<ul id="found"></ul>
</nav>
<main id="content" tabindex="-1">
<noscript><p>This page needs JavaScript. The same information is at <code>/doc/index.json</code>.</p></noscript>
</main>
</div>
</body>
</html>
`;
