import { html, raw } from 'hono/html';
import type { Html } from '../../src/http/page.ts';

/**
 * Untrusted messages are displayed in a frame. This policy is the second line of defense after sanitizing: it allows no
 * scripts, forms, frames or remote resources. The frame has the application's origin, so that the page can measure it.
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

interface BodyOptions {
  /** True for plain text, which follows the theme. HTML is displayed on white, because senders design it for white. */
  isText: boolean;
  images: 'none' | 'hidden' | 'shown';
  /** True for a dark background, which some mail clients apply to HTML that sets no colors. */
  isDark?: boolean;
}

/**
 * Renders a message's document. The frame adopts the message's height, so no height in the message may depend on the
 * frame. Links have a target, because they would otherwise open in the frame.
 * @param body sanitized markup
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
