import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { type Before, changeEntries, type Target } from './change-entries.ts';
import { mailboxesHolding, wantFeatureIn } from './hold-mailboxes.ts';
import { moveBack, previousOf, UNDOABLE, unmark } from './undo.ts';
import { answersUndoable } from './undo-token.ts';

export const Flags = builder.inputType('MessageFlags', {
  description: 'Changes to messages: marks, and at most one of the moves. Omitted marks stay as they are.',
  fields: (t) => ({
    isRead: t.boolean({ description: 'Whether they have been read.' }),
    isStarred: t.boolean({ description: 'Whether they are starred.' }),
    trash: t.boolean({ description: 'True moves them to Trash.' }),
    untrash: t.boolean({
      description: 'True moves those in Trash back to where they were, or to Inbox if that folder is gone.',
    }),
    archive: t.boolean({ description: 'True moves them to Archive.' }),
    unarchive: t.boolean({
      description: 'True moves those in Archive back to where they were, or to Inbox if that folder is gone.',
    }),
  }),
});

type Vals = typeof Flags.$inferInput;

export const mailFlagVerb = verb('mailFlag', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_organize',
  address: 'svc.mail.account/set_flags',
  policy: mailWrites,
  description:
    'Marks messages as read, unread or starred, or moves them to Trash or Archive and back; at most ' +
    `${limits.mail.changed} at a time. Returns how they were, and the calls that undo it.`,
  args: (arg) => ({
    entryIds: arg.recordIds({ required: true, description: 'Messages to change, of your mailboxes.' }),
    vals: arg({ type: Flags, required: true, description: 'What to change.' }),
  }),
  ...answersUndoable('MailFlagged', 'Messages that were marked or moved.', UNDOABLE),
  run: (ctx, { entryIds, vals }) => answering(() => flagEntries(ctx, entryIds, vals)),
});

const MOVES: Record<'trash' | 'untrash' | 'archive' | 'unarchive', Target> = {
  trash: { role: 'trash' },
  untrash: { outOf: 'trash' },
  archive: { role: 'archive' },
  unarchive: { outOf: 'archive' },
};

export async function flagEntries(ctx: Ctx, entryIds: number[], vals: Vals) {
  const mailboxes = await mailboxesHolding(ctx, entryIds);
  const asked = (Object.keys(MOVES) as (keyof typeof MOVES)[]).filter((name) => vals[name]);
  const { isRead = null, isStarred = null } = vals;
  if (asked.length > 1) throw new MailRefusal(`Only one of ${asked.join(' and ')} can be done at a time.`);
  if (asked.length === 0 && isRead === null && isStarred === null)
    throw new MailRefusal('Say what to change: is_read, is_starred, trash, untrash, archive or unarchive.');
  const [name] = asked;
  if (name === 'archive' || name === 'unarchive') await wantFeatureIn(ctx, mailboxes, 'mail.organize');
  const target = name ? MOVES[name] : null;
  const accounts = mailboxes.map(({ id }) => id);
  const before = await changeEntries(ctx, accounts, entryIds, { isRead, isStarred, target });
  const moved = before.filter(({ folderIds }) => folderIds.length > 1);
  return {
    previous: previousOf(before),
    undo: [
      ...unmark(before, 'is_read', isRead),
      ...unmark(before, 'is_starred', isStarred),
      ...moveBack(moved satisfies Before[]),
    ],
  };
}
