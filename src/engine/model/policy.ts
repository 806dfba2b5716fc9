import type { Guest } from './principal.ts';

/**
 * Callers that a policy allows: a user, an administrator, or the workspace itself (a team key). Without a key: ANYONE
 * who knows the workspace's name (the operation decides what to reveal), the visitor of a signed LINK of the workspace,
 * or the sender of a SIGNED message (the operation verifies the signature).
 */
export type AuthKind = 'USER' | 'ADMIN' | 'TEAM' | Guest['kind'];

/** Policy of a root field, printed in the SDL as `@auth @scope @feature @audit`. */
export interface Policy {
  /** Any one of them is sufficient. */
  auth: AuthKind[];
  /** `send` is a subset of `write`. A send-only key can do nothing else. */
  scope: 'read' | 'write' | 'send';
  feature?: string;
  /** For LINK: the required kind of link, which grants access only to its subject (see signed-link.ts). */
  link?: string;
  /** Name of the security event for the audit trail, if any. */
  audit?: string;
  /**
   * True if the operation waits for a provider, so that it does not share a transaction with its audit entry (see
   * audit.ts).
   */
  waits?: boolean;
}
