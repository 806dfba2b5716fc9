import type { ModelOptions } from '../../../src/engine/model/model.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';

/** Records of mailboxes that the caller is a member of; `path` leads from the record to its mailbox. */
const memberDomain =
  (path: string) =>
  ({ userId }: Principal): unknown[] | false =>
    userId === null ? false : [[`${path}member_ids.user_id`, '=', userId]];

/**
 * What all models of mailboxes have in common: users read what lies in mailboxes that they are members of, and verbs
 * alone change it. No right and no rule, not even an administrator's, opens the mail of others.
 * @param path to the mailbox, `account_id.` in most models and '' in its own
 */
export const mailboxAccess = (path: string) =>
  ({
    access: { 'base.group_user': 'r' },
    ceiling: 'r',
    own: memberDomain(path),
  }) satisfies Partial<ModelOptions>;

/** What GraphQL calls the mailbox that a record lies in. */
export const MAILBOX_GRAPH_NAMES = {
  names: { account_id: 'mailboxId' },
  relations: { account_id: 'mailbox' },
};
