import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { folderOf } from '../folders/folder-place.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { changeEntries } from './change-entries.ts';
import { mailboxesHolding, wantFeatureIn } from './hold-mailboxes.ts';
import { moveBack, previousOf, UNDOABLE } from './undo.ts';
import { answersUndoable } from './undo-token.ts';

export const mailMoveVerb = verb('mailMove', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_organize',
  address: 'svc.mail.account/move_entries',
  policy: mailWrites,
  description:
    `Moves up to ${limits.mail.changed} messages into a folder of their mailbox. Returns how they were, and the ` +
    'calls that undo it.',
  args: (arg) => ({
    entryIds: arg.recordIds({ required: true, description: 'Messages to move, all of one mailbox.' }),
    folderId: arg.recordId({ required: true, description: 'Folder of that mailbox, but not Drafts.' }),
  }),
  ...answersUndoable('MailMoved', 'Messages that were moved.', UNDOABLE),
  run: (ctx, { entryIds, folderId }) => answering(() => moveEntries(ctx, entryIds, folderId)),
});

export async function moveEntries(ctx: Ctx, entryIds: number[], folderId: number) {
  const mailboxes = await mailboxesHolding(ctx, entryIds);
  const folder = await folderOf(ctx, folderId);
  await wantFeatureIn(ctx, mailboxes, 'mail.organize');
  if (folder.role === 'drafts') throw new MailRefusal('No message can be moved into Drafts.');
  if (mailboxes.some(({ id }) => id !== folder.account_id))
    throw new MailRefusal('The folder belongs to another mailbox than some of the messages.');
  const change = { isRead: null, isStarred: null, target: { folderId } };
  const before = await changeEntries(ctx, [folder.account_id], entryIds, change);
  return { previous: previousOf(before), undo: moveBack(before) };
}
