import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createCache } from '../../src/cache.ts';
import { BAR_STYLE, ICON_LINK, renderBar, STYLE_TOKENS } from '../../src/http/page-theme.ts';

const BASE = '/api/v1/ui';

/** Swagger's colors lack contrast with the white labels of methods. */
const METHOD_COLORS = {
  get: '#1f5fa8',
  post: '#1d7148',
  put: '#8a5200',
  delete: '#b3261e',
  patch: '#17695d',
};

const STYLE = `body { margin: 0; background: var(--paper) }
.swagger-ui .topbar { display: none }
.swagger-ui .wrapper { padding: 0 1.25rem }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5560 }
.swagger-ui .info .title small pre { color: #fff }
.swagger-ui .info .url, .swagger-ui .info .link, .swagger-ui .info a { color: var(--accent) }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent) }
.swagger-ui .btn.authorize svg { fill: var(--accent) }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: var(--soft) }
${Object.entries(METHOD_COLORS)
  .map(
    ([method, color]) =>
      `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${color} }`,
  )
  .join('\n')}
`;

export const BROWSER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Email API · Atrium</title>
<link rel="stylesheet" href="${BASE}/swagger-ui.css">
<style>${STYLE_TOKENS}${BAR_STYLE}${STYLE}</style>
${ICON_LINK}
</head>
<body>
${renderBar('/api/v1/ui')}
<main id="ui"></main>
<script src="${BASE}/swagger-ui-bundle.js"></script>
<script src="${BASE}/start.js"></script>
</body>
</html>
`;

/**
 * Without `validatorUrl: null`, Swagger UI would send the document's URL to its vendor's server. The plugin corrects
 * markup that screen readers can't use: a link inside a button, and a select without a label.
 */
const START = `const accessibility = ({ React: { createElement } }) => ({
  wrapComponents: {
    DeepLink: () => ({ text }) => createElement('span', null, text),
    Servers: (Servers) => (props) => createElement(
      'div',
      { ref: (element) => element?.querySelector('select')?.setAttribute('aria-label', 'Server') },
      createElement(Servers, props),
    ),
  },
});
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '/api/v1/doc', dom_id: '#ui', deepLinking: true, validatorUrl: null,
  plugins: [accessibility],
});
`;

const TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export const BROWSER_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const files = createCache<string, Promise<Uint8Array<ArrayBuffer>>>({ entries: Object.keys(TYPES).length });

/** Returns a file of the page, or null for any other name. */
export async function readPageFile(
  name: string,
): Promise<{ type: string; content: Uint8Array<ArrayBuffer> | string } | null> {
  if (name === 'start.js') return { type: 'text/javascript; charset=utf-8', content: START };
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (!type) return null;
  const readAsset = () => readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
  return { type, content: await files.getOrCreate(name, readAsset) };
}
