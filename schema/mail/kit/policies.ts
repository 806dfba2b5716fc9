import type { Policy } from '../../../src/engine/model/policy.ts';

/** Reads of a mailbox; which ones are the caller's, each verb asks. */
export const MAIL_READ_POLICY: Policy = { auth: ['USER'], scope: 'read' };
export const MAIL_WRITE_POLICY: Policy = { auth: ['USER'], scope: 'write' };
export const MAIL_ADMIN_READ_POLICY: Policy = { auth: ['ADMIN'], scope: 'read' };
/** For mail administrators alone. */
export const MAIL_ADMIN_WRITE_POLICY: Policy = { auth: ['ADMIN'], scope: 'write' };
