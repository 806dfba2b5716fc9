import type { App } from '../harness/app.ts';

/** Signs in like the login page and returns the session cookies. */
export async function signIn(app: App, login: string, password: string): Promise<string> {
  const response = await fetch(`${app.url}/web/session/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: { db: 'main', login, password } }),
  });
  return response.headers
    .getSetCookie()
    .map((item) => item.split(';')[0])
    .join('; ');
}
