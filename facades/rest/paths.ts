const READINGS = /^\/api\/v1(?:\/api)?(?:\/v1)?(?=\/|$)/;

/**
 * The resource a path names, such as `/emails`; null outside of this API. The contract writes `{base_url}/v1/emails`
 * with a base that ends in `/api/v1`; its client libraries append `/api/v1/emails` to their base URL, with or
 * without a trailing slash. All of these paths name the same resource.
 */
export function resourceOf(path: string): string | null {
  const plain = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
  const prefix = READINGS.exec(plain);
  if (!prefix) return null;
  const rest = plain.slice(prefix[0].length);
  return rest.length > 1 && rest.endsWith('/') ? rest.slice(0, -1) : rest || '/';
}
