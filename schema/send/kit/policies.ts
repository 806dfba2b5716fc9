import type { Policy } from '../../../src/engine/model/policy.ts';

/** What the clients of the email REST API may do with a key of their team; administrators may as well. */
export const TEAM_READ_POLICY: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' };
export const TEAM_WRITE_POLICY: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email' };

/** What the contract leaves to administrators: it has no REST endpoints ("Endpoints", rule 3). */
export const ADMIN_READ_POLICY: Policy = { auth: ['ADMIN'], scope: 'read', feature: 'email' };
export const ADMIN_WRITE_POLICY: Policy = { auth: ['ADMIN'], scope: 'write', feature: 'email' };
