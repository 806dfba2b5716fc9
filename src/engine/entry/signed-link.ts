import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { keyedHash, sameHash } from '../value/keys.ts';

// Pages of people who have no account: the signature of the link they follow is their credential, for one thing only.

/** What a link is about, and what its follower wants with it; null: only to look. */
type Follow = (ctx: Ctx, subject: string, action: string | null) => Promise<unknown>;

const follows = new Map<string, Follow>();

/** Declares a sort of links. The ctx is of the workspace that signed the link and has no principal. */
export function defineLink(name: string, follow: Follow): void {
  follows.set(name, follow);
}

/** The part of a link that is signed, as it stands in its query. */
export interface SignedLink {
  id: string;
  hash: string;
  /** Milliseconds since 1970; null for a link that is good for ever. */
  expires: number | null;
}

const hashOf = (secretKey: string, name: string, id: string, expires: number | null): string =>
  keyedHash(secretKey, `link ${name} ${id} ${expires ?? ''}`);

/** A link of the sort `name` about `subject` in a workspace. */
export function signLink(
  secretKey: string,
  name: string,
  workspaceId: number,
  subject: string,
  expires: number | null = null,
): SignedLink {
  const id = `${subject}-${workspaceId}`;
  return { id, hash: hashOf(secretKey, name, id, expires), expires };
}

/**
 * Follows a link.
 * @throws BAD_REQUEST when it is not one of ours, or no longer good
 */
export async function followLink<T>(
  runtime: Runtime,
  name: string,
  link: SignedLink,
  action: string | null,
  requestId: string,
): Promise<T> {
  const { id, hash, expires } = link;
  if (!sameHash(hashOf(runtime.config.secretKey, name, id, expires), hash))
    throw errors.badRequest('This link is not valid. Was all of it copied?');
  if (expires !== null && expires < Date.now()) throw errors.badRequest('This link is no longer valid.');
  const cut = id.lastIndexOf('-');
  const [row] = await runtime.db.rows<{ slug: string }>(
    sql`select slug from workspace where id = ${Number(id.slice(cut + 1))}`,
  );
  const workspace = row && (await runtime.identity.workspace(row.slug));
  if (!workspace) throw errors.notFound('Workspace');
  const ctx = createCtx(runtime, { workspace, principal: null, channel: 'web', requestId });
  return (await follows.get(name)!(ctx, id.slice(0, cut), action)) as T;
}
