import { errors } from '../../src/errors.ts';
import { readBody } from '../../src/http/body.ts';
import { authenticateSession, isSameOrigin } from '../../src/http/http.ts';
import { insertIntoHead } from '../../src/http/insert-into-head.ts';
import type { Visit } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';
import type { SiteLocation } from './location.ts';

const FIELD = 'html=';

/** Blocks scripts, but keeps the application's origin. */
const POLICY = [
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline' https:",
  "img-src 'self' data: https:",
  "media-src 'self' https:",
  "font-src 'self' data: https:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'private, no-store',
};

// The frame adopts the page's height, so no height in the page may depend on the frame.
const FRAME_HEAD =
  `<base target="_blank">` +
  `<style>html, body { height: auto !important; min-height: 0 !important }</style>`;

/**
 * Renders an unsaved page, as produced by `websitePagePreview`. A form in the application posts it to a frame as
 * `html=` followed by the HTML, with the type `text/plain`.
 * @throws ACCESS_ERROR for a cross-site request, UNAUTHENTICATED without a session
 */
export async function serveSitePreview(
  { runtime, request, requestId }: Visit,
  { slug }: SiteLocation,
): Promise<Response> {
  if (!isSameOrigin(runtime, request.headers))
    throw errors.notAllowed("Session cookies are only accepted from this server's own pages.");
  const caller = await authenticateSession(runtime, request.headers);
  if (!caller || caller.workspace.slug !== slug) throw errors.noCredential();
  const { bytes } = await readBody(request, { maxBytes: MAX_PREVIEW_BYTES, owner: caller.workspace.id });
  const text = bytes.toString();
  if (!text.startsWith(FIELD))
    throw errors.badRequest("html: must be the form's only field, and the form must be sent as text/plain.");
  return new Response(insertIntoHead(text.slice(FIELD.length), FRAME_HEAD), {
    headers: { ...HEADERS, 'x-request-id': requestId },
  });
}

/** A rendered page has at most four bytes per character. */
const MAX_PREVIEW_BYTES = 4 * limits.site.output;
