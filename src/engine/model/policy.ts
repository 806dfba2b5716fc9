import type { AccessKind } from './access-kind.ts';
import type { Guest } from './principal.ts';

/**
 * Kinds of callers. USER, ADMIN and TEAM authenticate with a key or session. An ANYONE caller has no key or session and
 * only knows the workspace's name, so the operation decides what to reveal. A LINK caller has opened a signed link. A
 * SIGNED caller has sent a message whose signature the operation verifies.
 */
export type AuthKind = 'USER' | 'ADMIN' | 'TEAM' | Guest['kind'];

/** Policy of a root field, printed in the SDL as `@auth @scope @feature @audit`. */
export interface Policy {
  /** The caller must match at least one of these kinds. */
  auth: AuthKind[];
  /** `send` is a subset of `write`. A send-only key can do nothing else. */
  scope: 'read' | 'write' | 'send';
  feature?: string;
  /** Access right that the operation requires of every caller, whatever its arguments. */
  access?: readonly [model: string, right: AccessKind];
  /** Kind of link that a LINK policy requires (see signed-link.ts). */
  link?: string;
  /** Name of the security event in the audit trail. */
  audit?: string;
  /**
   * True if the operation waits for a provider, and so must not share a transaction with its audit entry (see
   * audit.ts).
   */
  waits?: boolean;
}
