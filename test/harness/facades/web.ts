import type { App } from '../app.ts';
import { type GraphqlResponse, sendRequest } from './graphql.ts';

export const postWeb = (
  app: App,
  path: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<GraphqlResponse> =>
  sendRequest(
    app,
    'POST',
    path,
    { 'content-type': 'application/json', ...headers },
    JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 7, params }),
  );

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the route
export const parseJson = (response: GraphqlResponse): any => JSON.parse(response.text);

export async function signInWeb(
  app: App,
  user: { login: string; password: string } = app.main.admin,
  db = 'main',
): Promise<string> {
  const { login, password } = user;
  const { headers, text } = await postWeb(app, '/web/session/authenticate', { db, login, password });
  const cookie = String(headers['set-cookie']).match(/session_id=[\w-]{43}/);
  if (!cookie) throw new Error(`no session: ${text}`);
  return cookie[0];
}
