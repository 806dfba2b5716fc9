import type { SiteLocation } from './location.ts';

/**
 * The headers of a page. Pages load pictures, styles and fonts; scripts only where the website allows them and has its
 * host to itself, since they act for anyone who is signed in there. Forms go to the site alone.
 */
export function buildPageHeaders(
  place: SiteLocation,
  scripts: boolean,
  contentType: string,
): Record<string, string> {
  const runs = scripts && !place.isShared;
  const policy = [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline' https:",
    "img-src 'self' data: https:",
    "media-src 'self' https:",
    "font-src 'self' data: https:",
    ...(runs
      ? ["script-src 'self' 'unsafe-inline' https:", "connect-src 'self' https:", 'frame-src https:']
      : []),
    `form-action ${place.root}/website/${runs ? ' https:' : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    'content-type': contentType,
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}
