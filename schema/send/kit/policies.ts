import type { Policy } from '../../../src/engine/model/policy.ts';

/** What the clients of the email REST API may do with a key of their team; administrators may as well. */
export const teamReads: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' };
export const teamWrites: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email' };

/** What the contract leaves to administrators: it has no REST endpoints ("Endpoints", rule 3). */
export const adminReads: Policy = { auth: ['ADMIN'], scope: 'read', feature: 'email' };
export const adminWrites: Policy = { auth: ['ADMIN'], scope: 'write', feature: 'email' };
