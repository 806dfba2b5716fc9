/** Where images of emails are, on this server. */
const IMAGE_PATH = /^\/email\/image\/[\w.-]+\/[0-9a-f]+$/;

/**
 * How the page shows an image of an email: one of this server under the page's own address, whatever name the server
 * has for others; null for one of another server. Pure.
 */
export function toLocalSource(source: string): string | null {
  const path = URL.canParse(source) ? new URL(source).pathname : '';
  return IMAGE_PATH.test(path) ? path : null;
}
