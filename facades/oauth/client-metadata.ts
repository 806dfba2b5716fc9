import { errors } from 'oidc-provider';
import { isLoopback } from '../../src/http/own-host.ts';
import { isLocalRedirect, sanitizeClientName } from './format-client.ts';

const MAX_REDIRECT_URIS = 20;
/** Maximum length of a client's id, URL or redirect URI. */
const MAX_CLIENT_URL_CHARS = 2_000;

/** Unvalidated client metadata (RFC 7591). Values may have any type. */
type ClientMetadata = Record<string, unknown>;

const GRANT_TYPES = new Set(['authorization_code', 'refresh_token']);

/**
 * Normalizes client metadata. Native clients rarely declare `native`, and many clients request unsupported grants and
 * scopes; the user's consent determines the granted scopes.
 * @throws OIDCProviderError `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function normalizeClient(metadata: ClientMetadata): void {
  const { redirect_uris: uris, grant_types: grants, client_name: name, client_id: id } = metadata;
  checkLengths([id]);
  if (isStringArray(uris)) {
    if (uris.length > MAX_REDIRECT_URIS)
      rejectClient(`redirect_uris may contain at most ${MAX_REDIRECT_URIS} URIs`);
    checkLengths(uris);
    for (const uri of uris) checkRedirect(uri);
    metadata.application_type = uris.some(isLocalRedirect) ? 'native' : 'web';
  }
  if (isStringArray(grants)) metadata.grant_types = grants.filter((grant) => GRANT_TYPES.has(grant));
  if (typeof name === 'string') metadata.client_name = sanitizeClientName(name);
  delete metadata.scope;
  // Removed, because they are neither displayed nor followed.
  for (const unused of ['logo_uri', 'policy_uri', 'tos_uri', 'contacts', 'initiate_login_uri'])
    delete metadata[unused];
}

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function checkLengths(texts: unknown[]): void {
  if (texts.some((text) => typeof text === 'string' && text.length > MAX_CLIENT_URL_CHARS))
    rejectClient(`a URI or id may have at most ${MAX_CLIENT_URL_CHARS} characters`);
}

function rejectClient(reason: string): never {
  throw new errors.InvalidClientMetadata(reason);
}

/** Schemes of known clients that are not reverse domain names (RFC 8252, section 7.1). */
const AGENT_SCHEMES = new Set([
  ...['claude:', 'code-oss:', 'cursor:', 'goose:', 'jetbrains:', 'kiro:', 'lmstudio:', 'raycast:', 'trae:'],
  ...['vscode:', 'vscode-insiders:', 'vscodium:', 'warp:', 'windsurf:', 'zed:'],
]);

const REVERSE_DOMAIN = /^[a-z]{2,}(?:\.[a-z0-9-]+)+:$/;

function checkRedirect(uri: string): void {
  const reason = findRedirectError(URL.parse(uri));
  if (reason) throw new errors.CustomOIDCProviderError('invalid_redirect_uri', `redirect_uris ${reason}`);
}

/**
 * Returns the reason to reject a redirect URI. Rejects unknown schemes, because the operating system or browser may
 * execute their targets.
 */
function findRedirectError(url: URL | null): string | null {
  if (!url) return 'must be URLs';
  const { protocol, hostname } = url;
  if (protocol === 'http:' && !isLoopback(hostname)) return 'with http: must point to a loopback host';
  if (
    !['http:', 'https:'].includes(protocol) &&
    !AGENT_SCHEMES.has(protocol) &&
    !REVERSE_DOMAIN.test(protocol)
  )
    return `may not begin with ${protocol} Use https:, http: to a loopback host, or a scheme such as com.example.app:`;
  return url.username || url.password ? 'may not contain a user name or password' : null;
}
