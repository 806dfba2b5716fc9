import type { ModelOptions } from '../../../src/engine/model/model.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';

/** Matches records in the caller's mailboxes. `path` leads from the record to its mailbox. */
const buildMemberDomain =
  (path: string) =>
  ({ userId }: Principal): unknown[] | false =>
    userId === null ? false : [[`${path}member_ids.user_id`, '=', userId]];

/**
 * Access settings of all mailbox models: members can read their mailboxes, and only operations can change them. No
 * access right or record rule grants access to other users' mail, not even to administrators.
 * @param path path to the mailbox: `account_id.` in most models, empty in the mailbox model
 */
export const buildMailboxAccess = (path: string) =>
  ({
    access: { 'base.group_user': 'r' },
    ceiling: 'r',
    own: buildMemberDomain(path),
  }) satisfies Partial<ModelOptions>;

/** Makes a mailbox's records visible only to their user, even in a shared mailbox. */
export const PERSONAL_ACCESS = {
  ...buildMailboxAccess('account_id.'),
  own: (principal: Principal): unknown[] | false => {
    const mailboxes = buildMemberDomain('account_id.')(principal);
    return mailboxes && ['&', ['user_id', '=', principal.userId], ...mailboxes];
  },
} satisfies Partial<ModelOptions>;

const GRAPH_NAMES = { names: { account_id: 'mailboxId' }, relations: { account_id: 'mailbox' } };

/**
 * Declares a model whose records belong to a mailbox.
 * @param graph names of the GraphQL type and its root fields, and changes to the default names of its fields
 */
export function defineMailboxModel(
  name: string,
  { names, relations, ...graph }: NonNullable<ModelOptions['graph']>,
  options: Partial<ModelOptions> = {},
): void {
  defineModel(name, {
    group: 'mail',
    ...buildMailboxAccess('account_id.'),
    graph: {
      ...graph,
      names: { ...GRAPH_NAMES.names, ...names },
      relations: { ...GRAPH_NAMES.relations, ...relations },
      writes: false,
    },
    ...options,
  });
}
