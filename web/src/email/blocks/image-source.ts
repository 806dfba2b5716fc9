const IMAGE_PATH = /^\/email\/image\/[\w.-]+\/[0-9a-f]+$/;

/**
 * Returns the URL that the page loads an email image from, or null for an image on another server. The URL is relative,
 * because the server's public host may differ from the page's host.
 */
export function toLocalSource(source: string): string | null {
  const path = URL.canParse(source) ? new URL(source).pathname : '';
  return IMAGE_PATH.test(path) ? path : null;
}
