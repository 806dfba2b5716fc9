import type { Guest } from './principal.ts';

/**
 * Callers that a policy allows: a USER, an ADMIN, or a TEAM key. Without a key: ANYONE who knows the workspace's name
 * (the operation decides what to reveal), the visitor of a signed LINK, or the sender of a SIGNED message (the
 * operation verifies the signature).
 */
export type AuthKind = 'USER' | 'ADMIN' | 'TEAM' | Guest['kind'];

/** Policy of a root field, printed in the SDL as `@auth @scope @feature @audit`. */
export interface Policy {
  /** The caller needs only one of them. */
  auth: AuthKind[];
  /** `send` is a subset of `write`. A send-only key can do nothing else. */
  scope: 'read' | 'write' | 'send';
  feature?: string;
  /** For LINK: the required kind of link (see signed-link.ts). */
  link?: string;
  /** Name of the security event in the audit trail. */
  audit?: string;
  /**
   * True if the operation waits for a provider, and so must not share a transaction with its audit entry (see
   * audit.ts).
   */
  waits?: boolean;
}
