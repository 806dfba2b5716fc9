/** Routes whose further segments are a credential. */
const SECRET_ROUTES = ['/calendar/feed', '/email/image', '/mail/image', '/oauth/authorize', '/oauth/consent'];

/** A slash as a client may write it: repeated. */
const SECRET = new RegExp(
  `^/*(?:${SECRET_ROUTES.map((route) => route.slice(1).replaceAll('/', '/+')).join('|')})(?=/)`,
  'i',
);

/** Keys, hashes and session tokens, wherever a client put them by mistake. */
const TOKEN = /[0-9a-f]{32,}|(?<![\w-])[\w-]{43}(?![\w-])/gi;

/** The path of a request as logs and traces may hold it: credentials are replaced by `…`. Pure. */
export function loggedPath(path: string): string {
  const plain = path.includes('%') ? decoded(path) : path;
  const route = SECRET.exec(plain)?.[0];
  return route ? `${route}/…` : path.length < 32 ? path : plain.replace(TOKEN, '…');
}

/** Routers decode paths before they compare them. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
