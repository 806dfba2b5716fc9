import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { folderOf } from '../folders/folder-place.ts';
import { OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { searchPage } from '../search/search-page.ts';
import {
  changeSome,
  checkCount,
  type Finder,
  type FoundChange,
  foundArgs,
  idsOf,
  scopeOf,
  stillThere,
} from './found-entries.ts';
import { addUndo, answersUndoable, keepUndo } from './undo-token.ts';

const MOST = limits.mail.changedFound.toLocaleString('en');

export const mailChangeFoundVerb = verb('mailChangeFound', {
  kind: 'mutation',
  effects: ['writes'],
  policy: mailWrites,
  description:
    `Marks, labels or moves all messages of a list or a search, up to ${MOST}. Changes nothing when they are not as ` +
    'many as the caller has seen.',
  args: foundArgs,
  ...answersUndoable('MailFoundChanged', 'Messages of a search that were changed.', {
    ...OUTCOME,
    count: { type: 'Int', nullable: true, description: 'How many messages there are; null for too many.' },
  }),
  run: (ctx, { folderId, ...args }) =>
    answering(async () => {
      const folder = await folderOf(ctx, folderId);
      const ids = await idsOf(ctx, folder, scopeOf(args), limits.mail.changedFound, pageOf);
      checkCount(ids, args.expectCount);
      return changeAll(ctx, folder.account_id, ids, args);
    }),
});

const pageOf: Finder = (ctx, accounts, scope, text, most) =>
  searchPage(ctx, accounts, scope, text, { offset: 0, limit: most });

/**
 * Batch by batch, each with what undoes it. Messages that are gone by then are passed over.
 * @throws MailRefusal with the token of what was done, when a batch after the first fails
 */
async function changeAll(ctx: Ctx, accountId: number, ids: number[], change: FoundChange) {
  const token = await keepUndo(ctx, []);
  for (let from = 0; from < ids.length; from += limits.mail.changed) {
    const some = ids.slice(from, from + limits.mail.changed);
    try {
      await ctx.tx(async (tx) => {
        const there = await stillThere(tx, accountId, some);
        if (there.length > 0) await addUndo(tx, token, await changeSome(tx, there, change));
      });
    } catch (error) {
      if (from === 0) throw error;
      ctx.runtime.log.warn({ err: error }, 'a change of many messages ended before its end');
      throw new MailRefusal(`Only the first ${from} of ${ids.length} messages were changed; try again.`, {
        count: ids.length,
        undo_token: token,
      });
    }
  }
  return { count: ids.length, undo_token: token };
}
