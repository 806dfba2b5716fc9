/** Routes whose remaining path is a credential. */
const SECRET_ROUTES = ['/calendar/feed', '/email/image', '/mail/image', '/oauth/authorize', '/oauth/consent'];

/** Clients may repeat slashes. */
const SECRET_ROUTE = new RegExp(
  `^/*(?:${SECRET_ROUTES.map((route) => route.slice(1).replaceAll('/', '/+')).join('|')})(?=/)`,
  'i',
);

/** Keys, hashes and session tokens, which a client may mistakenly put anywhere in a URL. */
const TOKEN_PATTERN = /[0-9a-f]{32,}|(?<![\w-])[\w-]{43}(?![\w-])/gi;

/** Replaces credentials by `…`, for logs and traces. */
export function redactPath(path: string): string {
  const decodedPath = path.includes('%') ? decodePath(path) : path;
  const route = SECRET_ROUTE.exec(decodedPath)?.[0];
  return route ? `${route}/…` : path.length < 32 ? path : decodedPath.replace(TOKEN_PATTERN, '…');
}

/** Routers decode paths before they match them. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
