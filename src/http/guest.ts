import { type Ctx, createCtx } from '../engine/ctx/ctx.ts';
import type { Runtime } from '../engine/ctx/runtime.ts';
import { type SignedLink, verifyLink } from '../engine/identity/signed-link.ts';

// What doors make for callers without a key, once they have seen what admits them. A verb's policy says whom it takes.

/** The ctx of somebody who follows a signed link. @throws BAD_REQUEST, NOT_FOUND as `openLink` */
export async function createLinkCtx(
  runtime: Runtime,
  kind: string,
  link: SignedLink,
  requestId: string,
): Promise<Ctx> {
  const { workspace, guest } = await verifyLink(runtime, kind, link);
  return createCtx(runtime, { workspace, principal: null, guest, channel: 'web', requestId });
}

/** The ctx of anyone who names a workspace; null when there is none of that name. */
export async function createPublicCtx(
  runtime: Runtime,
  slug: string,
  requestId: string,
): Promise<Ctx | null> {
  const workspace = await runtime.identity.workspace(slug);
  const guest = { kind: 'ANYONE' } as const;
  return workspace && createCtx(runtime, { workspace, principal: null, guest, channel: 'web', requestId });
}
