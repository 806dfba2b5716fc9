import type { Policy } from '../../../src/engine/model/policy.ts';

/** For administrators, and for email REST API clients with a team key. */
export const TEAM_READ_POLICY: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' };
export const TEAM_WRITE_POLICY: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email' };

/** For administrators. The contract allows no REST endpoints for these operations ("Endpoints", rule 3). */
export const ADMIN_READ_POLICY: Policy = { auth: ['ADMIN'], scope: 'read', feature: 'email' };
export const ADMIN_WRITE_POLICY: Policy = { auth: ['ADMIN'], scope: 'write', feature: 'email' };
