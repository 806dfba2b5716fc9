/** Addresses of the authorization server; the library reads them too. */
export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
};

/** What the server says of itself (RFC 8414). */
export const DISCOVERY_PATH = '/.well-known/oauth-authorization-server';

/** The page on which a person decides. */
export const CONSENT_PATH = '/oauth/consent';

/** The page that lists the agents of a user. */
export const AGENTS_PATH = '/profile/agents';

/** The page of the application on which a user sees all agents, those with a key as well. */
export const APPLICATION_AGENTS_PATH = '/app/profile/agents';
