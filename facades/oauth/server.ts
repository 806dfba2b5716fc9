import { generateKeyPairSync } from 'node:crypto';
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { OAuthStore, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Workspace } from '../../src/engine/ctx/workspace.ts';
import { computeKeyedHash } from '../../src/engine/value/keys.ts';
import { AppError } from '../../src/errors.ts';
import { getResourceUrl, OAUTH_SCOPES } from '../../src/http/protected-resource.ts';
import { limits } from '../../src/limits.ts';
import { createAdapterFactory } from './adapter.ts';
import { normalizeClient } from './client-metadata.ts';
import { DECISION } from './decision.ts';
import { revokeConsent } from './end-consent.ts';
import { renderErrorPage } from './error-page.ts';
import { createFetch } from './fetch-document.ts';
import { preventOpenRedirect, recordOAuthError } from './prevent-open-redirect.ts';
import { CONSENT_PATH, DISCOVERY_PATH, OAUTH_ROUTES } from './routes.ts';

const ACCESS_TOKEN_SECONDS = 3_600;
/** Lifetime of a refresh token. Each use returns a new one. */
const REFRESH_TOKEN_SECONDS = 30 * 86_400;
const AUTHORIZATION_CODE_SECONDS = 60;
const MAX_CACHED_SERVERS = 200;

export interface AuthorizationServer {
  origin: string;
  workspace: Workspace;
  rows: OAuthStore;
  provider: Provider;
}

const serverCache = memoizePerObject((_runtime: Runtime) =>
  createCache<string, AuthorizationServer>({ entries: MAX_CACHED_SERVERS }),
);

export function getAuthorizationServer(
  runtime: Runtime,
  workspace: Workspace,
  origin: string,
): AuthorizationServer {
  const cachedServer = serverCache(runtime).get(`${workspace.id} ${origin}`);
  if (cachedServer) return cachedServer;
  const rows = runtime.identity.oauth(workspace.id);
  const provider = new Provider(origin, buildConfiguration(runtime, workspace, origin, rows));
  provider.proxy = true;
  provider.silent = true;
  provider.use(respondUnavailable);
  provider.use(preventOpenRedirect(runtime, rows));
  provider.use(requestAllScopes);
  provider.use(extendClient(rows));
  provider.use(trimDiscovery);
  provider.on('authorization.error', recordOAuthError);
  provider.on('server_error', (ctx, error) => {
    if (error instanceof AppError && error.kind === 'BUSY') ctx.state.unavailable = error.message;
    else if (!isClientError(error)) runtime.log.error({ err: error }, 'authorization server');
  });
  const server = { origin, workspace, rows, provider };
  serverCache(runtime).set(`${workspace.id} ${origin}`, server);
  return server;
}

/** Responds with 503 instead of 500 while the database is unavailable. */
async function respondUnavailable(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { unavailable } = ctx.state;
  if (unavailable === undefined || ctx.status !== 500) return;
  ctx.status = 503;
  ctx.set('retry-after', '1');
  if (ctx.response.is('json'))
    ctx.body = { error: 'temporarily_unavailable', error_description: unavailable };
}

function buildConfiguration(
  runtime: Runtime,
  workspace: Workspace,
  origin: string,
  rows: OAuthStore,
): Configuration {
  const { config, identity } = runtime;
  const fetch = getFetch(runtime);
  return {
    adapter: createAdapterFactory(rows),
    routes: OAUTH_ROUTES,
    jwks: { keys: [UNUSED_KEY] },
    scopes: ['offline_access', ...OAUTH_SCOPES],
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    extraClientMetadata: {
      properties: ['software_id', 'software_version'],
      validator: (_ctx, key, _value, metadata) => {
        if (key === 'software_id') normalizeClient(metadata);
      },
    },
    pkce: { required: () => true },
    cookies: {
      keys: [computeKeyedHash(config.secretKey, 'oauth cookies')],
      names: { session: 'oauth_session', interaction: 'oauth_request', resume: 'oauth_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/oauth' },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Grant: limits.oauth.consentSeconds,
      AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
      Interaction: limits.oauth.decisionSeconds,
      Session: limits.oauth.decisionSeconds,
    },
    features: buildFeatures(getResourceUrl(origin)),
    interactions: { policy: DECISION, url: (_ctx, { uid }) => `${CONSENT_PATH}/${uid}` },
    findAccount: async (_ctx, id) => {
      const user = await identity.principal(workspace.id, Number(id));
      return user ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: (ctx) => revokeConsent(runtime, workspace, ctx),
    expiresWithSession: () => false,
    clientBasedCORS: () => true,
    fetch: (address) => fetch(String(address)),
    renderError: (ctx, out) => renderErrorPage(ctx, out),
  };
}

function buildFeatures(resource: string): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // Disabled, because tokens are plain bearer tokens and authorization requests arrive only through the browser.
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => 'clientId' in token && token.clientId === client.clientId,
    },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf ?? resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resourceUrl) => {
        if (!isThisResource(resource, normalizeResource(resourceUrl))) throw new errors.InvalidTarget();
        return { scope: OAUTH_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
      },
    },
  };
}

const getFetch = memoizePerObject(({ config }: Runtime) =>
  createFetch({ allowPrivate: config.oauthAllowPrivate, dnsServers: config.dnsServers }),
);

/** Returns true if a client specifies the only resource, either by its URL or by its origin. */
const isThisResource = (resource: string, resourceUrl: string): boolean =>
  resourceUrl === resource || resourceUrl === new URL(resource).origin;

/** Removes the query and the trailing slash, because clients include them inconsistently. */
function normalizeResource(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}

/** True for errors caused by the client: an invalid or aborted body. */
const isClientError = ({ status = 500, code }: Error & { status?: number; code?: string }): boolean =>
  status < 500 || code === 'ECONNRESET';

/** The library requires a key for identity tokens, which this server never issues. */
const UNUSED_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  format: 'jwk',
}) as never;

/** Adds all scopes if the client requests no known scope, as some clients do when they reconnect. */
async function requestAllScopes(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { scope = '' } = ctx.query;
  if (ctx.path === OAUTH_ROUTES.authorization && typeof scope === 'string') {
    const requestedScopes = scope.split(' ').filter(Boolean);
    if (
      !requestedScopes.some((requestedScope) => (OAUTH_SCOPES as readonly string[]).includes(requestedScope))
    )
      ctx.query = { ...ctx.query, scope: [...requestedScopes, ...OAUTH_SCOPES].join(' ') };
  }
  await next();
}

const extendClient =
  (rows: OAuthStore) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { client } = ctx.path === OAUTH_ROUTES.authorization && ctx.status === 303 ? ctx.oidc : {};
    if (client) await rows.prolong(client.clientId, limits.oauth.unusedSeconds);
  };

async function trimDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.path !== DISCOVERY_PATH || ctx.status !== 200) return;
  const { jwks_uri, id_token_signing_alg_values_supported, subject_types_supported, ...rest } =
    ctx.body as Record<string, unknown>;
  const { claims_supported, claims_parameter_supported, ...body } = rest;
  ctx.body = body;
}
