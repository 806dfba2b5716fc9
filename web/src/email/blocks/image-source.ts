/** Path of an email image on this server. */
const IMAGE_PATH = /^\/email\/image\/[\w.-]+\/[0-9a-f]+$/;

/**
 * Returns the source that the page loads for an email image. Images on this server use a relative path, because its
 * public host name may differ from the host in the page's URL. Null for other servers.
 */
export function toLocalSource(source: string): string | null {
  const path = URL.canParse(source) ? new URL(source).pathname : '';
  return IMAGE_PATH.test(path) ? path : null;
}
