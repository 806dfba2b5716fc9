import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberFolder } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError } from '../kit/operation.ts';
import { changeEntries } from './change-entries.ts';
import { getEntryMailboxes, requireFeatureIn } from './lock-mailboxes.ts';
import { buildMoveUndo, toPreviousStates, UNDOABLE_SHAPE } from './undo.ts';
import { returnUndoable } from './undo-token.ts';

export const mailMove = defineOperation('mailMove', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_organize',
  address: 'svc.mail.account/move_entries',
  policy: MAIL_WRITE_POLICY,
  description:
    `Moves up to ${limits.mail.changed} messages to a folder of their mailbox. Returns their previous state, and the ` +
    'calls that undo the move.',
  args: (arg) => ({
    entryIds: arg.recordIds({ required: true, description: 'Messages to move, all in one mailbox.' }),
    folderId: arg.recordId({
      required: true,
      description: 'Folder to move the messages to, in the same mailbox. Cannot be Drafts.',
    }),
  }),
  ...returnUndoable('MailMoved', 'Result of moving messages.', UNDOABLE_SHAPE),
  run: (ctx, { entryIds, folderId }) => catchMailError(() => moveEntries(ctx, entryIds, folderId)),
});

export async function moveEntries(ctx: Ctx, entryIds: number[], folderId: number) {
  const mailboxes = await getEntryMailboxes(ctx, entryIds);
  const folder = await getMemberFolder(ctx, folderId);
  await requireFeatureIn(ctx, mailboxes, 'mail.organize');
  if (folder.role === 'drafts') throw new MailError('Messages cannot be moved into Drafts.');
  if (mailboxes.some(({ id }) => id !== folder.account_id))
    throw new MailError('The folder belongs to a different mailbox than some of the messages.');
  const change = { isRead: null, isStarred: null, target: { folderId } };
  const before = await changeEntries(ctx, [folder.account_id], entryIds, change);
  return { previous: toPreviousStates(before), undo: buildMoveUndo(before) };
}
