import type { Policy } from '../../../src/engine/model/policy.ts';

/** Operations available to email REST API clients with a key of their team, and to administrators. */
export const TEAM_READ_POLICY: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' };
export const TEAM_WRITE_POLICY: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email' };

/** Operations that the contract reserves for administrators. They have no REST endpoints ("Endpoints", rule 3). */
export const ADMIN_READ_POLICY: Policy = { auth: ['ADMIN'], scope: 'read', feature: 'email' };
export const ADMIN_WRITE_POLICY: Policy = { auth: ['ADMIN'], scope: 'write', feature: 'email' };
