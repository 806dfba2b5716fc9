import type { KoaContextWithOIDC } from 'oidc-provider';
import type { OAuthStore, Runtime } from '../../src/engine/ctx/runtime.ts';
import { authenticateSession } from '../../src/http/http.ts';
import { renderErrorPage } from './error-page.ts';
import { OAUTH_ROUTES } from './routes.ts';

/** A refusal of the library: the answer to the client (RFC 6749, 4.1.2.1). */
interface OAuthError extends Error {
  error: string;
  error_description?: string;
  allow_redirect?: boolean;
}

/** Keeps what a request was refused for until it is answered. */
export function recordOAuthError(ctx: KoaContextWithOIDC, refusal: Error): void {
  ctx.state.refusal = refusal;
}

/**
 * A request that is refused before a person has decided leads nowhere by itself, or any registered address could borrow
 * our name: a page says why, with a link. Clients that the user has let act are answered directly.
 */
export const preventOpenRedirect =
  (runtime: Runtime, rows: OAuthStore) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const refusal = ctx.state.refusal as OAuthError | undefined;
    if (ctx.path !== OAUTH_ROUTES.authorization || !refusal?.allow_redirect) return;
    if (await isKnownClient(runtime, rows, ctx)) return;
    const back = ctx.response.get('location') || undefined;
    ctx.remove('location');
    ctx.status = 400;
    const { error, error_description } = refusal;
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
