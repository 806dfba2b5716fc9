import { createHash, randomBytes } from 'node:crypto';
import { post } from '../harness/app.ts';

// A step-by-step OAuth client, with a browser that stores cookies but does not follow redirects.

interface AppUrl {
  url: string;
}

export interface Browser {
  get(address: string): Promise<Response>;
  submit(address: string, fields: [string, string][]): Promise<Response>;
  cookies: Map<string, string>;
}

/** Sign-ins are limited by address, so each browser gets its own address through this proxy. */
export const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };

let browsers = 0;

export async function openBrowser(app: AppUrl, user?: { login: string; password: string }): Promise<Browser> {
  const cookies = new Map<string, string>();
  const number = ++browsers;
  const address = `10.0.${number >> 8}.${number & 255}`;
  const go = async (at: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      accept: 'text/html',
      'x-forwarded-for': address,
      ...(cookie && { cookie }),
      ...init.headers,
    };
    const response = await fetch(new URL(at, app.url), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  };
  const submit = (at: string, fields: [string, string][]) =>
    go(at, { method: 'POST', headers: { origin: app.url }, body: new URLSearchParams(fields) });
  if (user) {
    const fields = Object.entries({ workspace: 'main', login: user.login, password: user.password });
    const { status } = await submit('/login', fields);
    if (status !== 303) throw new Error(`sign-in: ${status}`);
  }
  return { cookies, get: go, submit };
}

export const CALLBACK = 'https://client.example/callback';

export async function register(app: AppUrl, metadata: object = {}): Promise<RegisteredClient> {
  const body = { client_name: 'A client', redirect_uris: [CALLBACK], ...metadata };
  const answer = await post(`${app.url}/oauth/register`, body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json();
}

interface RegisteredClient {
  client_id: string;
  client_secret?: string;
  redirect_uris: string[];
  [name: string]: unknown;
}

export interface AuthorizationOptions {
  clientId: string;
  redirectUri?: string;
  scope?: string | null;
  resource?: string | null;
  state?: string;
  more?: Record<string, string>;
}

export function buildAuthorizeUrl(
  app: AppUrl,
  askingOptions: AuthorizationOptions,
): { address: string; verifier: string } {
  const { clientId, redirectUri = CALLBACK, scope = 'mcp:read mcp:write', state = 'st' } = askingOptions;
  const resource = askingOptions.resource === undefined ? `${app.url}/mcp` : askingOptions.resource;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    ...(scope !== null && { scope }),
    ...(resource !== null && { resource }),
    ...askingOptions.more,
  });
  return { address: `${app.url}/oauth/authorize?${query}`, verifier };
}

/** Opens the consent page and returns its URL and HTML. */
export async function openConsent(browser: Browser, address: string): Promise<{ at: string; page: string }> {
  const consentPage = await browser.get(address);
  const at = consentPage.headers.get('location');
  if (consentPage.status !== 303 || !at) throw new Error(`${consentPage.status} ${await consentPage.text()}`);
  const page = await browser.get(at);
  return { at, page: await page.text() };
}

/** Submits the consent form and returns the callback URL. */
export async function decide(
  browser: Browser,
  { at, page }: { at: string; page: string },
  scopes: string[] = ['mcp:read', 'mcp:write'],
  decision = 'allow',
): Promise<URL> {
  const proof = /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const decidedResponse = await browser.submit(at, [
    ['proof', proof],
    ['decision', decision],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]);
  if (decidedResponse.status !== 200)
    throw new Error(`${decidedResponse.status} ${await decidedResponse.text()}`);
  const text = await decidedResponse.text();
  const next = /<a href="([^"]+)">Go back to/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  if (!next) throw new Error(text);
  const returnedResponse = await browser.get(next);
  const location = returnedResponse.headers.get('location');
  if (!location) throw new Error(`${returnedResponse.status} ${await returnedResponse.text()}`);
  return new URL(location);
}

export interface TokenResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the standard defines the shape
  json: any;
}

export async function requestToken(app: AppUrl, fields: Record<string, string>): Promise<TokenResponse> {
  const response = await fetch(`${app.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: response.status, json: await response.json() };
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

export interface Connection extends Tokens {
  clientId: string;
  browser: Browser;
  at: string;
  code: string;
  verifier: string;
}

export async function connectClient(
  app: AppUrl,
  user: { login: string; password: string },
  options: Partial<AuthorizationOptions> & { granted?: string[] } = {},
): Promise<Connection> {
  const clientId = options.clientId ?? (await register(app)).client_id;
  const browser = await openBrowser(app, user);
  const { address, verifier } = buildAuthorizeUrl(app, { ...options, clientId });
  const consent = await openConsent(browser, address);
  const returnedUrl = await decide(browser, consent, options.granted);
  const code = returnedUrl.searchParams.get('code');
  if (!code) throw new Error(returnedUrl.href);
  const redirectUri = options.redirectUri ?? CALLBACK;
  const { json } = await redeemCode(app, { clientId, code, verifier, redirectUri });
  return { ...json, clientId, browser, at: consent.at, code, verifier };
}

export const redeemCode = (
  app: AppUrl,
  {
    clientId,
    code,
    verifier,
    redirectUri = CALLBACK,
  }: Record<'clientId' | 'code' | 'verifier', string> & {
    redirectUri?: string;
  },
): Promise<TokenResponse> =>
  requestToken(app, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });

export const refreshToken = (app: AppUrl, clientId: string, token: string): Promise<TokenResponse> =>
  requestToken(app, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
