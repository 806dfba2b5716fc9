import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberFolder } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError } from '../kit/operation.ts';

import { loadSearchPage } from '../search/search-page.ts';
import {
  type BulkChange,
  buildBulkArgs,
  changeEntriesInBulk,
  checkExpectedCount,
  type EntryFinder,
  findBulkEntryIds,
  lockExistingEntries,
  toBulkScope,
} from './bulk-entries.ts';
import { addUndo, returnUndoable, storeUndo } from './undo-token.ts';

const MAX_CHANGED_MATCHES = 20_000;

const MAX_ENTRIES_TEXT = MAX_CHANGED_MATCHES.toLocaleString('en');

export const mailChangeFound = defineOperation('mailChangeFound', {
  kind: 'mutation',
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    `Marks, labels or moves all messages in a list or search, up to ${MAX_ENTRIES_TEXT}. Fails with \`STALE\` and ` +
    'changes nothing if the number of messages differs from `expectCount`.',
  args: buildBulkArgs,
  ...returnUndoable('MailFoundChanged', 'Result of changing the messages in a list or search.', {
    count: { type: 'Int', description: 'Number of messages. Null if there are too many.' },
  }),
  run: (ctx, { folderId, ...args }) =>
    catchMailError(async () => {
      const folder = await getMemberFolder(ctx, folderId);
      const ids = await findBulkEntryIds(ctx, folder, toBulkScope(args), MAX_CHANGED_MATCHES, findPage);
      checkExpectedCount(ids, args.expectCount);
      return changeInBatches(ctx, folder.account_id, ids, args);
    }),
});

const findPage: EntryFinder = (ctx, accounts, scope, text, maxIds) =>
  loadSearchPage(ctx, accounts, scope, text, { offset: 0, limit: maxIds });

/**
 * Changes messages in batches, and stores the undo calls of each batch. Skips messages that no longer exist.
 * @throws MailError with the undo token if a batch other than the first fails
 */
async function changeInBatches(ctx: Ctx, accountId: number, ids: number[], change: BulkChange) {
  const token = await storeUndo(ctx, []);
  for (let from = 0; from < ids.length; from += limits.mail.changed) {
    const selectedIds = ids.slice(from, from + limits.mail.changed);
    try {
      await ctx.tx(async (tx) => {
        const existingIds = await lockExistingEntries(tx, accountId, selectedIds);
        if (existingIds.length > 0)
          await addUndo(tx, token, await changeEntriesInBulk(tx, existingIds, change));
      });
    } catch (error) {
      if (from === 0) throw error;
      ctx.runtime.log.warn({ err: error }, 'a bulk change of messages was interrupted');
      throw new MailError(`Only the first ${from} of ${ids.length} messages were changed; try again.`, {
        count: ids.length,
        undo_token: token,
      });
    }
  }
  return { count: ids.length, undo_token: token };
}
