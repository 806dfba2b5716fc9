import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';
import type { LinkGuest } from '../model/principal.ts';
import { computeKeyedHash, isSameHash } from '../value/keys.ts';

// Links for people without an account. The signature is the credential, and is valid for only one subject.

export interface SignedLink {
  id: string;
  hash: string;
  /** Unix time in milliseconds. Null if the link never expires. */
  expires: number | null;
}

const computeLinkHash = (secretKey: string, kind: string, id: string, expires: number | null): string =>
  computeKeyedHash(secretKey, `link ${kind} ${id} ${expires ?? ''}`);

export function signLink(
  secretKey: string,
  kind: string,
  workspaceId: number,
  subject: string,
  expires: number | null = null,
): SignedLink {
  const id = `${subject}-${workspaceId}`;
  return { id, hash: computeLinkHash(secretKey, kind, id, expires), expires };
}

/**
 * Verifies a link and returns its guest in the workspace that signed it.
 * @throws BAD_REQUEST if the signature is invalid or the link has expired, NOT_FOUND if the workspace no longer exists
 */
export async function verifyLink(
  runtime: Runtime,
  kind: string,
  { id, hash, expires }: SignedLink,
): Promise<{ workspace: Workspace; guest: LinkGuest }> {
  if (!isSameHash(computeLinkHash(runtime.config.secretKey, kind, id, expires), hash))
    throw errors.badRequest('This link is not valid. Check that you copied all of it.');
  if (expires !== null && expires < Date.now()) throw errors.badRequest('This link is no longer valid.');
  const separator = id.lastIndexOf('-');
  const [row] = await runtime.db.rows<{ slug: string }>(
    sql`select slug from workspace where id = ${Number(id.slice(separator + 1))}`,
  );
  const workspace = row && (await runtime.identity.workspace(row.slug));
  if (!workspace) throw errors.notFound('Workspace');
  return { workspace, guest: { kind: 'LINK', link: kind, subject: id.slice(0, separator) } };
}

/** Returns the subject of the caller's link. Call it only in operations whose policy requires a link. */
export function getLinkSubject({ guest }: Ctx): string {
  if (guest?.kind !== 'LINK') throw new Error('an operation that requires a link was called without one');
  return guest.subject;
}
