const IMAGE_PATH = /^\/email\/image\/[\w.-]+\/[0-9a-f]+$/;

/**
 * Returns the source from which the page loads an email image, or null for an image on another server. The path is
 * relative, because the server's public host may differ from the page's host.
 */
export function toLocalSource(source: string): string | null {
  const path = URL.canParse(source) ? new URL(source).pathname : '';
  return IMAGE_PATH.test(path) ? path : null;
}
