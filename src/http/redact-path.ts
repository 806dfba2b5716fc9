/** Routes whose remaining path is a credential. */
const SECRET_ROUTES = ['/calendar/feed', '/email/image', '/mail/image', '/oauth/authorize', '/oauth/consent'];

/** Clients may repeat slashes. */
const SECRET_ROUTE = new RegExp(
  `^/*(?:${SECRET_ROUTES.map((route) => route.slice(1).replaceAll('/', '/+')).join('|')})(?=/)`,
  'i',
);

/** Keys and hashes, which a client may mistakenly put anywhere in a URL, also if a few characters are missing. */
const HEX_PATTERN = /[0-9a-f]{20,}/gi;
const WORD_PATTERN = /[\w-]{40,}/g;
/** Session tokens contain upper-case letters and digits, whereas the addresses of pages do not. */
const isToken = (word: string): boolean => word.length === 43 || (/[A-Z]/.test(word) && /\d/.test(word));

/** Replaces credentials by `…`, for logs and traces. */
export function redactPath(path: string): string {
  const decodedPath = path.includes('%') ? decodePath(path) : path;
  const route = SECRET_ROUTE.exec(decodedPath)?.[0];
  if (route) return `${route}/…`;
  if (path.length < 20) return path;
  return decodedPath.replace(HEX_PATTERN, '…').replace(WORD_PATTERN, (word) => (isToken(word) ? '…' : word));
}

/** Routers decode paths before they match them. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
