import { recordAuditEvent, runAudited } from '../ctx/audit.ts';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Caller, Consent, Runtime } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';

export async function connectAgent(ctx: Ctx, caller: Caller, consent: Consent): Promise<void> {
  const { clientId, clientName, redirectHost, scopes } = consent;
  await runAudited(ctx, 'agent.connect', { clientId, clientName, redirectHost, scopes }, (tx) =>
    ctx.runtime.identity.connectAgent(tx.db, caller, consent),
  );
}

interface EndedConsent {
  grantId: string;
  userId: number;
  /** `revocation` if the client revoked a token, `reuse` if a token was used twice. */
  reason: 'revocation' | 'reuse';
  requestId: string;
}

export async function disconnectAgent(
  runtime: Runtime,
  workspace: Workspace,
  { grantId, userId, reason, requestId }: EndedConsent,
): Promise<void> {
  const { identity } = runtime;
  const principal = await identity.principal(workspace.id, userId);
  await createCtx(runtime, { workspace, principal, channel: 'web', requestId }).tx(async (tx) => {
    const id = await identity.oauth(workspace.id).revoke(grantId, tx.db);
    if (id !== null) await recordAuditEvent(tx, tx.db, { name: 'agent.revoke', args: { id, reason } }, null);
    tx.afterCommit(() => identity.invalidate(workspace.id));
  });
}
