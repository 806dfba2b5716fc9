import type { Visit } from '../../src/http/visit.ts';

// The document that the composer edits. Scripts do not run in it. Pasted HTML keeps its styles, which the application's
// policy would block.

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: blob:; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Message</title>
<style>
html { color-scheme: light; background: #fff; color: #000 }
body { margin: 0; padding: 12px 16px; font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
body:focus { outline: none }
img { max-width: 100% }
</style>
</head>
<body></body>
</html>
`;

/** Requires no credential, because the document contains no data. */
export const serveEditorPage = ({ requestId }: Visit): Response =>
  new Response(DOCUMENT, { headers: { ...HEADERS, 'x-request-id': requestId } });
