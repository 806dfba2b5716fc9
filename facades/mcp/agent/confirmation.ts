import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';
import { isObject } from '../../../src/json.ts';

/** Minutes within which a preview can be confirmed with its token. */
export const CONFIRMATION_TTL_MINUTES = 10;
const MAX_CONFIRMATION_TOKEN_CHARS = 1_000;

/** Purpose of a confirmation token: the agent confirms a preview, or the client's user approves it. */
export type ConfirmTokenKind = 'confirm' | 'person';

export interface ConfirmTokenScope {
  kind: ConfirmTokenKind;
  tool: string;
  digest: string;
}

/** Hashes a call, regardless of the order of its arguments. */
export const computeCallDigest = (tool: string, args: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, sortKeys(args)]))
    .digest('base64url');

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, value]) => [name, sortKeys(value)]));
}

/**
 * Creates a signed token, `<nonce>.<until>.<hash>`. The same caller can use it once, before it expires and with the
 * same arguments.
 */
export function createConfirmToken(ctx: Ctx, scope: ConfirmTokenScope): string {
  const nonce = randomBytes(16).toString('base64url');
  const end = (Date.now() + CONFIRMATION_TTL_MINUTES * 60_000).toString(36);
  return `${nonce}.${end}.${computeTokenHash(ctx, scope, nonce, end)}`;
}

/** A verified token. Using the token consumes its nonce. */
interface OpenConfirmToken {
  nonce: string;
  until: Date;
}

/** Verifies a token. Null if it does not match the caller and the arguments, or has expired. */
export function verifyConfirmToken(
  ctx: Ctx,
  scope: ConfirmTokenScope,
  text: string,
): OpenConfirmToken | null {
  const [nonce, end, hash, ...rest] = text.length <= MAX_CONFIRMATION_TOKEN_CHARS ? text.split('.') : [];
  if (!nonce || !end || !hash || rest.length > 0) return null;
  if (!isSameHash(hash, computeTokenHash(ctx, scope, nonce, end))) return null;
  const time = Number.parseInt(end, 36);
  return time > Date.now() ? { nonce, until: new Date(time) } : null;
}

function computeTokenHash(
  ctx: Ctx,
  { kind, tool, digest }: ConfirmTokenScope,
  nonce: string,
  end: string,
): string {
  const { userId, keyId, agent } = ctx.principal!;
  const caller = [ctx.workspace.id, userId, keyId, agent?.kind, agent?.id];
  const parts = ['mcp confirmation', ...caller, kind, tool, digest, nonce, end];
  return computeKeyedHash(ctx.runtime.config.secretKey, JSON.stringify(parts));
}
