import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError } from '../kit/operation.ts';
import { changeEntries, type EntrySnapshot, type MoveTarget } from './change-entries.ts';
import { getEntryMailboxes, requireFeatureIn } from './lock-mailboxes.ts';
import { buildFlagUndo, buildMoveUndo, toPreviousStates, UNDOABLE_SHAPE } from './undo.ts';
import { returnUndoable } from './undo-token.ts';

export const MessageFlagsInput = builder.inputType('MessageFlags', {
  description: 'Changes to messages: any of the flags, and at most one move. Omitted flags are not changed.',
  fields: (t) => ({
    isRead: t.boolean({ description: 'True to mark the messages as read, false to mark them as unread.' }),
    isStarred: t.boolean({ description: 'True to star the messages, false to remove the star.' }),
    trash: t.boolean({ description: 'True to move the messages to Trash.' }),
    untrash: t.boolean({
      description:
        'True to move messages in Trash back to their previous folder, or to Inbox if that folder was deleted.',
    }),
    archive: t.boolean({ description: 'True to move the messages to Archive.' }),
    unarchive: t.boolean({
      description:
        'True to move messages in Archive back to their previous folder, or to Inbox if that folder was deleted.',
    }),
  }),
});

type MessageFlags = typeof MessageFlagsInput.$inferInput;

export const mailFlag = defineOperation('mailFlag', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_organize',
  address: 'svc.mail.account/set_flags',
  policy: MAIL_WRITE_POLICY,
  description:
    `Marks up to ${limits.mail.changed} messages as read, unread or starred, or moves them to or from ` +
    'Trash or Archive. Returns their previous state, and the calls that undo the change.',
  args: (arg) => ({
    entryIds: arg.recordIds({ required: true, description: 'Messages to change, in your mailboxes.' }),
    vals: arg({ type: MessageFlagsInput, required: true, description: 'Changes to make.' }),
  }),
  ...returnUndoable('MailFlagged', 'Result of marking or moving messages.', UNDOABLE_SHAPE),
  run: (ctx, { entryIds, vals }) => catchMailError(() => flagEntries(ctx, entryIds, vals)),
});

const MOVE_TARGETS: Record<'trash' | 'untrash' | 'archive' | 'unarchive', MoveTarget> = {
  trash: { role: 'trash' },
  untrash: { outOf: 'trash' },
  archive: { role: 'archive' },
  unarchive: { outOf: 'archive' },
};

export async function flagEntries(ctx: Ctx, entryIds: number[], vals: MessageFlags) {
  const mailboxes = await getEntryMailboxes(ctx, entryIds);
  const requestedMoves = (Object.keys(MOVE_TARGETS) as (keyof typeof MOVE_TARGETS)[]).filter(
    (name) => vals[name],
  );
  const { isRead = null, isStarred = null } = vals;
  if (requestedMoves.length > 1) throw new MailError(`${requestedMoves.join(' and ')} cannot be combined.`);
  if (requestedMoves.length === 0 && isRead === null && isStarred === null)
    throw new MailError('Specify what to change: is_read, is_starred, trash, untrash, archive or unarchive.');
  const [name] = requestedMoves;
  if (name === 'archive' || name === 'unarchive') await requireFeatureIn(ctx, mailboxes, 'mail.organize');
  const target = name ? MOVE_TARGETS[name] : null;
  const accounts = mailboxes.map(({ id }) => id);
  const before = await changeEntries(ctx, accounts, entryIds, { isRead, isStarred, target });
  const movedEntries = before.filter(({ folderIds }) => folderIds.length > 1);
  return {
    previous: toPreviousStates(before),
    undo: [
      ...buildFlagUndo(before, 'is_read', isRead),
      ...buildFlagUndo(before, 'is_starred', isStarred),
      ...buildMoveUndo(movedEntries satisfies EntrySnapshot[]),
    ],
  };
}
