import { errors } from 'oidc-provider';
import { isLoopback } from '../../src/http/own-host.ts';
import { limits } from '../../src/limits.ts';
import { isOnMachine, shownName } from './shown.ts';

/** What a client says of itself, before it is checked (RFC 7591); values may be of any type. */
type Metadata = Record<string, unknown>;

const GRANTS = new Set(['authorization_code', 'refresh_token']);

/**
 * Brings what clients say of themselves to what they mean: programs on a person's machine seldom say `native`, and ask
 * for grants and scopes that are not here. Which scopes a client gets is what the user consents to.
 * @throws OIDCProviderError `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function settleClient(metadata: Metadata): void {
  const { redirect_uris: uris, grant_types: grants, client_name: name, client_id: id } = metadata;
  checkLengths([id]);
  if (isTexts(uris)) {
    if (uris.length > limits.oauth.redirects) refuse(`at most ${limits.oauth.redirects} redirect_uris`);
    checkLengths(uris);
    for (const uri of uris) checkRedirect(uri);
    metadata.application_type = uris.some(isOnMachine) ? 'native' : 'web';
  }
  if (isTexts(grants)) metadata.grant_types = grants.filter((grant) => GRANTS.has(grant));
  if (typeof name === 'string') metadata.client_name = shownName(name);
  delete metadata.scope;
  // None of them is shown or followed.
  for (const unused of ['logo_uri', 'policy_uri', 'tos_uri', 'contacts', 'initiate_login_uri'])
    delete metadata[unused];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function checkLengths(texts: unknown[]): void {
  if (texts.some((text) => typeof text === 'string' && text.length > limits.oauth.address))
    refuse(`an address or id may have ${limits.oauth.address} characters`);
}

function refuse(why: string): never {
  throw new errors.InvalidClientMetadata(why);
}

/** Schemes that a browser would run or open itself; of others, programs on the machine are the owners. */
const CLOSED = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
]);

function checkRedirect(uri: string): void {
  const why = redirectMistake(URL.parse(uri));
  if (why) throw new errors.CustomOIDCProviderError('invalid_redirect_uri', `redirect_uris ${why}`);
}

function redirectMistake(url: URL | null): string | null {
  if (!url) return 'must be addresses';
  if (CLOSED.has(url.protocol)) return `may not begin with ${url.protocol}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'with http: must lead to the own machine';
  return url.username || url.password ? 'may not hold a password' : null;
}
