import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';

/** A piece of a page: hono escapes every value in it that is not itself such a piece. */
export type Html = ReturnType<typeof html>;

const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1c2430; --soft: #5b6675; --paper: #fbfaf7; --card: #fff; --line: #e3e0d8; --accent: #0b6b5d
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --soft: #a3a9b3; --paper: #15191f; --card: #1d232b; --line: #323a45; --accent: #5fd0bd }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem }
a { color: var(--accent) }
.soft { color: var(--soft) }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: 1rem 1.15rem; margin: .75rem 0
}
table { border-collapse: collapse; width: 100% }
td { border-top: 1px solid var(--line); padding: .45rem .75rem .45rem 0; vertical-align: top }
tr:first-child td { border-top: 0 }
pre {
  overflow: auto; max-height: 26rem; margin: .5rem 0 0; padding: .75rem; border-radius: .4rem;
  background: var(--paper); border: 1px solid var(--line);
  font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere
}
pre.copy { user-select: all }
form.line { display: inline }
label { display: block; margin: .75rem 0 .25rem }
input {
  width: 100%; padding: .55rem .65rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--line); border-radius: .4rem
}
button {
  margin-top: 1rem; padding: .5rem 1.1rem; font: inherit; color: var(--card);
  background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer
}
form.line button { margin: 0; padding: 0; background: none; color: var(--accent); text-decoration: underline }
.wrong { border-color: #c2452d }
summary { cursor: pointer }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Pages run no script and load nothing; the one style is known by its hash. */
const SAFE = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A whole page around `body`. */
export function htmlPage(title: string, body: Html, requestId: string, status = 200): Response {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
  // Only a promise among the values would make the whole one.
  if (text instanceof Promise) throw new Error('a page is made of values, not of promises');
  return new Response(`${text}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'x-request-id': requestId, ...SAFE },
  });
}

/** JSON text with the same headers. */
export const jsonAnswer = (text: string, requestId: string, status = 200): Response =>
  new Response(text, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId, ...SAFE },
  });

/** On to a path of ours, with GET. */
export const redirect = (path: string, requestId: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location: path, 'x-request-id': requestId, ...SAFE, ...headers },
  });

/** Whether who asks would rather read a page than JSON. */
export const likesHtml = (headers: Headers): boolean => (headers.get('accept') ?? '').includes('text/html');
