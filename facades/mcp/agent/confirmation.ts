import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';

/** What a seal is for: an agent confirms what it was shown, or a person does whom its program asks. */
export type ConfirmTokenKind = 'confirm' | 'person';

/** What a seal is bound to, with the caller. */
export interface ConfirmTokenScope {
  kind: ConfirmTokenKind;
  tool: string;
  /** Of the arguments. */
  digest: string;
}

/** Names the arguments of a call that is asked for, whatever their order. Pure. */
export const computeCallDigest = (tool: string, args: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, sortKeys(args)]))
    .digest('base64url');

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]));
}

/** A seal that the same caller can return once, for a while, with the same arguments: `<nonce>.<until>.<hash>`. */
export function createConfirmToken(ctx: Ctx, sealed: ConfirmTokenScope): string {
  const nonce = randomBytes(16).toString('base64url');
  const until = (Date.now() + limits.agent.confirmMinutes * 60_000).toString(36);
  return `${nonce}.${until}.${computeTokenHash(ctx, sealed, nonce, until)}`;
}

/** A seal that fits: what is used up with it, and until when it would be good. */
export interface OpenConfirmToken {
  nonce: string;
  until: Date;
}

/** null for a seal that does not fit the caller and the arguments, and for one whose time is over. */
export function verifyConfirmToken(
  ctx: Ctx,
  sealed: ConfirmTokenScope,
  text: string,
): OpenConfirmToken | null {
  const [nonce, until, hash, ...more] = text.length <= limits.agent.confirmLength ? text.split('.') : [];
  if (!nonce || !until || !hash || more.length > 0) return null;
  if (!isSameHash(hash, computeTokenHash(ctx, sealed, nonce, until))) return null;
  const time = Number.parseInt(until, 36);
  return time > Date.now() ? { nonce, until: new Date(time) } : null;
}

function computeTokenHash(
  ctx: Ctx,
  { kind, tool, digest }: ConfirmTokenScope,
  nonce: string,
  until: string,
): string {
  const { userId, keyId, agent } = ctx.principal!;
  const caller = [ctx.workspace.id, userId, keyId, agent?.kind, agent?.id];
  const parts = ['mcp confirmation', ...caller, kind, tool, digest, nonce, until];
  return computeKeyedHash(ctx.runtime.config.secretKey, JSON.stringify(parts));
}
