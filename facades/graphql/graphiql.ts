import { html, raw } from 'hono/html';
import { createPageFiles, type PageFiles } from '../../src/http/page-files.ts';
import { BAR_STYLE, ICON_LINK, renderBar, STYLE_TOKENS } from '../../src/http/page-theme.ts';
import type { GraphiqlTab } from './tabs.ts';

// GraphiQL's bundle is 9 MB of text, so it is read on the first request instead of at startup.

const TITLE = 'GraphiQL · Atrium';

const OPTIONS = {
  title: TITLE,
  endpoint: '/graphql',
  credentials: 'same-origin',
  subscriptionsProtocol: 'SSE',
};

/** Selects a stored tab. GraphiQL would otherwise add an empty one. */
const START_SCRIPT = `const at = (name) => new URL(name, document.currentScript.src).href;
const workers = {
  editorWorkerService: at('editor-worker.js'),
  json: at('json-worker.js'),
  graphql: at('graphql-worker.js'),
};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
const root = document.querySelector('#root');
const defaultTabs = JSON.parse(root.dataset.tabs);
const isAsked = new URLSearchParams(location.search).has('query');
const kept = isAsked ? null : JSON.parse(localStorage.getItem('graphiql:tabState'));
const { query, variables, headers } = kept?.tabs?.[kept.activeTabIndex] ?? {};
// GraphiQL's tabs contain buttons, which the role tab does not allow.
const correctTabs = () => {
  root.querySelector('.graphiql-tabs')?.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[aria-selected]')) {
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', tab.getAttribute('aria-selected'));
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
  }
};
new MutationObserver(correctTabs).observe(root, {
  subtree: true, childList: true, attributes: true, attributeFilter: ['aria-selected', 'role'],
});
YogaGraphiQL.renderYogaGraphiQL(root, { ...${JSON.stringify(OPTIONS)}, query, variables, headers, defaultTabs });
`;

let pendingFiles: Promise<PageFiles> | undefined;
const loadBundle = (): Promise<PageFiles> => {
  pendingFiles ??= load();
  return pendingFiles;
};

async function load(): Promise<PageFiles> {
  const { js, css, editorWorkerService, jsonWorker, graphqlWorker } = await import(
    '@graphql-yoga/render-graphiql/graphiql'
  );
  const texts = {
    'graphiql.js': js,
    'start.js': START_SCRIPT,
    'editor-worker.js': editorWorkerService,
    'json-worker.js': jsonWorker,
    'graphql-worker.js': graphqlWorker,
    'graphiql.css': css,
  };
  return createPageFiles(new Map(Object.entries(texts)));
}

// Monaco sets styles from scripts, which requires 'unsafe-inline'.
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Monaco numbers the colors of its theme: .mtk8 is a comment in the dark one.
const STYLE = `${STYLE_TOKENS}${BAR_STYLE}html, body { height: 100%; margin: 0 }
body, main { display: flex; flex-direction: column; background: var(--paper) }
.sdl { padding: .15rem 1.25rem; font: 13px system-ui, sans-serif; background: var(--card) }
.sdl h1 { display: inline; font-size: inherit; color: var(--ink); margin-right: .5rem }
.sdl a { color: var(--accent) }
main { flex: 1; min-height: 0 }
#root { flex: 1; min-height: 0 }
#root .graphiql-container { width: 100% !important; height: 100% !important }
.graphiql-tab { transform: none !important }
#root .graphiql-logo, #root .graphiql-logo span { color: hsl(var(--color-neutral)) }
#root .monaco-editor .line-numbers { color: hsl(var(--color-neutral)) !important }
#root .monaco-editor .mtk1 { color: hsl(var(--color-neutral)) }
@media (prefers-color-scheme: dark) { #root .monaco-editor .mtk8 { color: hsl(var(--color-neutral)) } }
@media (max-width: 50rem) {
  .graphiql-main, #graphiql-session { flex-direction: column }
  .graphiql-main > .graphiql-horizontal-drag-bar, #graphiql-session > .graphiql-horizontal-drag-bar,
  .graphiql-logo { display: none }
}`;

export async function renderGraphiql(tabs: GraphiqlTab[]): Promise<Response> {
  const { version } = await loadBundle();
  const base = `/graphql/assets/${version}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
${raw(ICON_LINK)}
<link rel="stylesheet" href="${base}/graphiql.css">
<style>${raw(STYLE)}</style>
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
${raw(renderBar('/graphql'))}
<main>
<div class="sdl"><h1>GraphiQL</h1> <a href="/graphql/schema.graphql">The schema as text</a></div>
<div id="root" data-tabs="${JSON.stringify(tabs)}"></div>
</main>
<script src="${base}/graphiql.js"></script>
<script src="${base}/start.js"></script>
</body>
</html>
`;
  return new Response(String(page), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-cache',
    },
  });
}

export const serveAsset = async (request: Request, version: string, name: string): Promise<Response> =>
  (await loadBundle()).respond(request, version, name);
