import type { Policy } from '../../../src/engine/model/policy.ts';

/** Reads of a mailbox; which ones are the caller's, each verb asks. */
export const mailReads: Policy = { auth: ['USER'], scope: 'read' };
export const mailWrites: Policy = { auth: ['USER'], scope: 'write' };
export const mailAdminReads: Policy = { auth: ['ADMIN'], scope: 'read' };
/** For mail administrators alone. */
export const mailAdminWrites: Policy = { auth: ['ADMIN'], scope: 'write' };
