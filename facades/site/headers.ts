import type { SiteLocation } from './location.ts';

/**
 * Builds a page's headers. Pages may load images, styles and fonts. Scripts are allowed only if the website enables
 * them and has its own host, because scripts could act for any user who is signed in on the host. Forms may only post
 * to the site.
 */
export function buildPageHeaders(
  location: SiteLocation,
  scripts: boolean,
  contentType: string,
): Record<string, string> {
  const runs = scripts && !location.isShared;
  const policy = [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline' https:",
    "img-src 'self' data: https:",
    "media-src 'self' https:",
    "font-src 'self' data: https:",
    ...(runs
      ? ["script-src 'self' 'unsafe-inline' https:", "connect-src 'self' https:", 'frame-src https:']
      : []),
    `form-action ${location.root}/website/${runs ? ' https:' : ''}`,
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
