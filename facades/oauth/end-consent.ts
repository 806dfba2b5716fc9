import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Workspace } from '../../src/engine/ctx/workspace.ts';
import { disconnectAgent } from '../../src/engine/identity/connected-agent.ts';

interface Token {
  grantId?: string | undefined;
  accountId?: string | undefined;
}

/**
 * Ends the consent of a revoked or reused token, before the library deletes the tokens derived from it.
 * @returns true, because a consent ends together with its tokens
 */
export async function revokeConsent(
  runtime: Runtime,
  workspace: Workspace,
  ctx: KoaContextWithOIDC,
): Promise<boolean> {
  const { grantId, accountId } = (await findToken(ctx)) ?? {};
  if (!grantId) return true;
  const reason = ctx.oidc.route === 'revocation' ? 'revocation' : 'reuse';
  const requestId = ctx.response.get('x-request-id');
  await disconnectAgent(runtime, workspace, { grantId, userId: Number(accountId), reason, requestId });
  return true;
}

/** Finds the token. The library has not yet added a reused code to the entities. */
async function findToken({ oidc }: KoaContextWithOIDC): Promise<Token | undefined> {
  const { entities, params, provider } = oidc;
  const { RefreshToken, AccessToken } = entities;
  if (RefreshToken ?? AccessToken) return RefreshToken ?? AccessToken;
  return provider.AuthorizationCode.find(String(params?.code), { ignoreExpiration: true });
}
