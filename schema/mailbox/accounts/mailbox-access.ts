import type { ModelOptions } from '../../../src/engine/model/model.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';

/** Matches records in mailboxes that the caller is a member of. `path` leads from the record to its mailbox. */
const buildMemberDomain =
  (path: string) =>
  ({ userId }: Principal): unknown[] | false =>
    userId === null ? false : [[`${path}member_ids.user_id`, '=', userId]];

/**
 * Access settings shared by all mailbox models: members read the contents of their mailboxes, and only operations
 * change them. No access right or record rule grants access to other users' mail, not even to administrators.
 * @param path path to the mailbox: `account_id.` in most models, and '' in the mailbox model
 */
export const buildMailboxAccess = (path: string) =>
  ({
    access: { 'base.group_user': 'r' },
    ceiling: 'r',
    own: buildMemberDomain(path),
  }) satisfies Partial<ModelOptions>;

export const MAILBOX_GRAPH_NAMES = {
  names: { account_id: 'mailboxId' },
  relations: { account_id: 'mailbox' },
};
