import { type Ctx, createCtx } from '../engine/ctx/ctx.ts';
import type { Runtime } from '../engine/ctx/runtime.ts';
import { type SignedLink, verifyLink } from '../engine/identity/signed-link.ts';

// Contexts for callers without a key, whom the facade has already verified. The operation's policy decides which guests
// it accepts.

/** @throws BAD_REQUEST, NOT_FOUND as in `verifyLink` */
export async function createLinkCtx(
  runtime: Runtime,
  kind: string,
  link: SignedLink,
  requestId: string,
): Promise<Ctx> {
  const { workspace, guest } = await verifyLink(runtime, kind, link);
  return createCtx(runtime, { workspace, principal: null, guest, channel: 'web', requestId });
}

export async function createPublicCtx(
  runtime: Runtime,
  slug: string,
  requestId: string,
): Promise<Ctx | null> {
  const workspace = await runtime.identity.workspace(slug);
  const guest = { kind: 'ANYONE' } as const;
  return workspace && createCtx(runtime, { workspace, principal: null, guest, channel: 'web', requestId });
}
