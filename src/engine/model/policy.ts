import type { Guest } from './principal.ts';

/**
 * Who may call: a user, an administrator, the workspace itself (a team key). Callers without a key: ANYONE who knows
 * the workspace's name (the verb decides what it reveals), who follows a LINK of the workspace, who posts a SIGNED
 * message (the verb checks the signature).
 */
export type AuthKind = 'USER' | 'ADMIN' | 'TEAM' | Guest['kind'];

/** Policy of one root field, printed in the SDL as `@auth @scope @feature @audit`. */
export interface Policy {
  /** Any one of them is enough. */
  auth: AuthKind[];
  /** `send` is a subset of `write`: a sending key can do nothing else. */
  scope: 'read' | 'write' | 'send';
  feature?: string;
  /** For LINK: the kind of link that admits, for its subject alone (see signed-link.ts). */
  link?: string;
  /** Name of the security event to write to the audit trail, if any. */
  audit?: string;
  /** The verb waits for a provider, so it and its audit entry do not share a transaction (see audit.ts). */
  waits?: boolean;
}
