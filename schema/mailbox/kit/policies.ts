import type { Policy } from '../../../src/engine/model/policy.ts';

/** Each operation checks the caller's membership in the mailbox. */
export const MAIL_READ_POLICY: Policy = { auth: ['USER'], scope: 'read' };
export const MAIL_WRITE_POLICY: Policy = { auth: ['USER'], scope: 'write' };
export const MAIL_ADMIN_READ_POLICY: Policy = { auth: ['ADMIN'], scope: 'read' };
export const MAIL_ADMIN_WRITE_POLICY: Policy = { auth: ['ADMIN'], scope: 'write' };
