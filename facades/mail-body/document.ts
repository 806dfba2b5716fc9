import { html, raw } from 'hono/html';
import type { Html } from '../../src/http/page.ts';

/**
 * A message of a stranger lies in a frame of its own. This policy is the second wall behind what has made it safe:
 * without scripts, forms, frames and other servers, whatever is in it. The page around it is of the same origin, so it
 * can measure the message.
 */
export const BODY_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; ' +
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
};

/** What a message is shown with. */
export interface BodyOptions {
  /** Its text follows the theme; the HTML of a sender lies on white paper, which it was written for. */
  isText: boolean;
  /** Images of other servers. */
  images: 'none' | 'hidden' | 'shown';
  /** HTML on dark paper, as some programs show it that has no colours of its own. */
  isDark?: boolean;
}

/**
 * The document of a message. The frame around it is made as high as the message is, so no height of the message may
 * depend on that of the frame. A link without a target would open within the frame.
 * @param body markup that was made safe
 */
export function renderBodyDocument(body: string, { isText, images, isDark = false }: BodyOptions): string {
  const text = html`<!doctype html>
<html data-images="${images}" data-kind="${isText ? 'text' : 'html'}">
<head>
<meta charset="utf-8">
<base target="_blank">
<title>Message</title>
<style>${raw(STYLE + (isText ? TEXT_STYLE : isDark ? DARK_STYLE : HTML_STYLE))}</style>
</head>
<body>${raw(body)}</body>
</html>
`;
  return `${text as Awaited<Html>}`;
}

const STYLE = `
html, body { height: auto !important; min-height: 0 !important; max-height: none !important }
body { margin: 0; padding: 12px 16px; font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
img { max-width: 100% }
pre { white-space: pre-wrap; font: inherit; margin: 0 }
`;

const HTML_STYLE = 'html { color-scheme: light; background: #fff; color: #000 }';

const DARK_STYLE = 'html { color-scheme: dark; background: #14181d; color: #e9ecef } a { color: #63cdb4 }';

const TEXT_STYLE = `
html {
  color-scheme: light dark; background: light-dark(#fff, #1b2127); color: light-dark(#1c2530, #e9ecef);
}
pre { text-align: start; unicode-bidi: plaintext }
a { color: light-dark(#0b6b58, #63cdb4) }
`;
