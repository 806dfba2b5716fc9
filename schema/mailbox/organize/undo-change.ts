import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { changeEntries } from './change-entries.ts';
import { relabelEntries } from './set-labels.ts';
import type { UndoCall } from './undo.ts';
import { deleteUndo, findUndoCalls } from './undo-token.ts';

export const mailUndo = defineOperation('mailUndo', {
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    'Undoes one of your changes by restoring the flags, labels and folders of its messages. Deleted ' +
    'messages stay deleted. Messages whose folder was deleted move to the Inbox.',
  args: (arg) => ({ token: arg.string({ required: true, description: '`undoToken` of the change.' }) }),
  ...returnOutcome('MailUndone', 'Result of undoing a change.', {
    undone: { type: 'Int', description: 'Number of restored messages. Null if the call was rejected.' },
  }),
  run: (ctx, { token }) => catchMailError(() => undoChange(ctx, token)),
});

/** Every undo call is idempotent, so a failed undo can be retried. */
async function undoChange(ctx: Ctx, token: string) {
  const calls = await findUndoCalls(ctx, token);
  if (!calls) throw new MailError('This change can no longer be undone.');
  const restoredIds = new Set<number>();
  for (const { method, arguments: args } of calls) {
    const existingEntries = await findOwnEntries(ctx, args.entry_ids as number[]);
    if (existingEntries.length === 0) continue;
    for (const { id } of await runUndoCall(ctx, method, args, existingEntries)) restoredIds.add(id);
  }
  await deleteUndo(ctx, token);
  return { undone: restoredIds.size };
}

interface OwnEntry {
  id: number;
  account_id: number;
}

const findOwnEntries = (ctx: Ctx, ids: readonly number[]): Promise<OwnEntry[]> =>
  ctx.db.rows<OwnEntry>(
    sql`select e.id, e.account_id from svc_mail_entry e
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = e.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = e.account_id and a.active
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}::int8[]) order by e.account_id, e.id`,
  );

/** @returns the messages that were changed */
async function runUndoCall(
  ctx: Ctx,
  method: string,
  args: UndoCall['arguments'],
  existingEntries: OwnEntry[],
): Promise<{ id: number }[]> {
  const ids = existingEntries.map(({ id }) => id);
  const accounts = [...new Set(existingEntries.map(({ account_id }) => account_id))];
  if (method === 'set_labels') {
    const [add, remove] = await Promise.all([
      findExistingLabels(ctx, args.add_label_ids as number[] | undefined, accounts[0]!),
      findExistingLabels(ctx, args.remove_label_ids as number[] | undefined, accounts[0]!),
    ]);
    return add.length + remove.length > 0 ? relabelEntries(ctx, accounts, ids, add, remove) : [];
  }
  const { is_read = null, is_starred = null } = (args.vals ?? {}) as Record<string, boolean | undefined>;
  const target =
    method === 'move_entries'
      ? { folderId: await resolveFolder(ctx, args.folder_id as number, accounts[0]!) }
      : null;
  return changeEntries(ctx, accounts, ids, { isRead: is_read, isStarred: is_starred, target });
}

/** Returns the mailbox's labels that still exist. */
async function findExistingLabels(
  ctx: Ctx,
  ids: readonly number[] = [],
  accountId: number,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_label where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
     and id = any(${ids}::int[])`,
  );
  return rows.map(({ id }) => id);
}

/** Falls back to the Inbox if the folder was deleted. */
function resolveFolder(ctx: Ctx, id: number, accountId: number): Promise<number> {
  return ctx.db.value<number>(
    sql`select id from svc_mail_folder where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
     and (id = ${id} or role = 'inbox') order by id = ${id} desc limit 1`,
  );
}
