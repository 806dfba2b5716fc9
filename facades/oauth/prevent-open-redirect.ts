import type { KoaContextWithOIDC } from 'oidc-provider';
import type { OAuthStore, Runtime } from '../../src/engine/ctx/runtime.ts';
import { authenticateSession } from '../../src/http/http.ts';
import { renderErrorPage } from './error-page.ts';
import { OAUTH_ROUTES } from './routes.ts';

/** A library error, to be returned to the client (RFC 6749, 4.1.2.1). */
interface OAuthError extends Error {
  error: string;
  error_description?: string;
  allow_redirect?: boolean;
}

export function recordOAuthError(ctx: KoaContextWithOIDC, error: Error): void {
  ctx.state.refusal = error;
}

/**
 * Shows a page with a link if a request is rejected before the user has decided. With an automatic redirect, any
 * registered URL could use our domain as an open redirect. Clients that the user has approved are redirected directly.
 */
export const preventOpenRedirect =
  (runtime: Runtime, rows: OAuthStore) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const rejection = ctx.state.refusal as OAuthError | undefined;
    if (ctx.path !== OAUTH_ROUTES.authorization || !rejection?.allow_redirect) return;
    if (await isKnownClient(runtime, rows, ctx)) return;
    const back = ctx.response.get('location') || undefined;
    ctx.remove('location');
    ctx.status = 400;
    const { error, error_description } = rejection;
    renderErrorPage(ctx, { error, ...(error_description && { error_description }) }, back);
  };

async function isKnownClient(
  runtime: Runtime,
  rows: OAuthStore,
  { req, oidc }: KoaContextWithOIDC,
): Promise<boolean> {
  const { cookie = '', host = '' } = req.headers;
  const caller = await authenticateSession(runtime, new Headers({ cookie, host }));
  if (!caller || caller.workspace.id !== rows.workspaceId || !oidc.client) return false;
  return rows.isConnected(caller.principal.userId!, oidc.client.clientId);
}
