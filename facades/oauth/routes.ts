/** Paths of the authorization server. The library's configuration also uses them. */
export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
};

/** Path of the authorization server metadata (RFC 8414). */
export const DISCOVERY_PATH = '/.well-known/oauth-authorization-server';

export const CONSENT_PATH = '/oauth/consent';

export const AGENTS_PATH = '/profile/agents';

/** The application's page that lists all agents of a user, including those with a key. */
export const APPLICATION_AGENTS_PATH = '/app/profile/agents';
