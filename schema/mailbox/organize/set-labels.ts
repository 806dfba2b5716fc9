import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { createMailAccessError } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError } from '../kit/operation.ts';

import { updateLabelCounts } from '../messages/label-counts.ts';
import { getEntryMailboxes, requireFeatureIn, withLockedMailboxes } from './lock-mailboxes.ts';
import { UNDOABLE_SHAPE, type UndoCall } from './undo.ts';
import { returnUndoable } from './undo-token.ts';

const MAX_LABELS_PER_CALL = 50;

export const mailSetLabels = defineOperation('mailSetLabels', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_organize',
  address: 'svc.mail.account/set_labels',
  policy: MAIL_WRITE_POLICY,
  description:
    `Adds and removes labels on up to ${limits.mail.changed} messages. Returns the calls that undo ` +
    'the change.',
  args: (arg) => ({
    entryIds: arg.recordIds({
      required: true,
      description: 'Messages in the mailbox that the labels belong to.',
    }),
    addLabelIds: arg.recordIds({ description: 'Labels to add.' }),
    removeLabelIds: arg.recordIds({ description: 'Labels to remove.' }),
  }),
  ...returnUndoable('MailLabelsSet', 'Result of changing the labels of messages.', {
    undo: UNDOABLE_SHAPE.undo!,
  }),
  run: (ctx, { entryIds, addLabelIds, removeLabelIds }) =>
    catchMailError(() => setLabels(ctx, entryIds, addLabelIds ?? [], removeLabelIds ?? [])),
});

export async function setLabels(ctx: Ctx, entryIds: number[], add: number[], remove: number[]) {
  const mailboxes = await getEntryMailboxes(ctx, entryIds);
  const labelIds = [...new Set([...add, ...remove])];
  const owners = await getLabelOwners(ctx, labelIds);
  await requireFeatureIn(ctx, mailboxes, 'mail.organize');
  if (labelIds.length === 0) throw new MailError('Specify at least one label to add or remove.');
  if (labelIds.length > MAX_LABELS_PER_CALL)
    throw new MailError(`At most ${MAX_LABELS_PER_CALL} labels can be set at a time.`);
  if (labelIds.length < add.length + remove.length)
    throw new MailError('A label can be specified only once, either to add or to remove.');
  if (mailboxes.some(({ id }) => [...owners].some((owner) => owner !== id)))
    throw new MailError('A label can be set only on messages in its own mailbox.');
  const accounts = mailboxes.map(({ id }) => id);
  const changedEntries = await relabelEntries(ctx, accounts, [...new Set(entryIds)], add, remove);
  return { undo: buildUndoCalls(changedEntries.flatMap(({ steps }) => steps)) };
}

/** Adds and removes labels of messages in one mailbox. The caller must check access. */
export const relabelEntries = (
  ctx: Ctx,
  accounts: readonly number[],
  ids: number[],
  add: number[],
  remove: number[],
) =>
  withLockedMailboxes(ctx, accounts, 'labels', (tx, numbers) =>
    addAndRemoveLabels(tx, numbers, ids, add, remove),
  );

/**
 * @returns the labels' mailboxes
 * @throws ACCESS_ERROR if a label does not exist, or the caller is not a member of its mailbox
 */
async function getLabelOwners(ctx: Ctx, ids: number[]): Promise<Set<number>> {
  const rows = await ctx.db.rows<{ account_id: number }>(
    sql`select l.account_id from svc_mail_label l
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = l.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     where l.workspace_id = ${ctx.workspace.id} and l.id = any(${ids}::int[])`,
  );
  if (rows.length < ids.length) throw createMailAccessError(ctx, 'Label', 'svc.mail.label');
  return new Set(rows.map(({ account_id }) => account_id));
}

interface EntryLabel {
  entry_id: number;
  label_id: number;
  folder_id: number;
  day: number;
}

/** A label that was added to (1) or removed from (-1) a message. */
interface LabelChange extends EntryLabel {
  by: 1 | -1;
}

async function addAndRemoveLabels(
  ctx: Ctx,
  numbers: ReadonlyMap<number, number>,
  ids: number[],
  add: number[],
  remove: number[],
) {
  const addedLabels = add.length > 0 ? await attachLabels(ctx, ids, add) : [];
  const removedLabels = remove.length > 0 ? await detachLabels(ctx, ids, remove) : [];
  const steps: LabelChange[] = [
    ...addedLabels.map((row) => ({ ...row, by: 1 as const })),
    ...removedLabels.map((row) => ({ ...row, by: -1 as const })),
  ];
  await updateLabelCounts(
    ctx,
    steps.map(({ label_id, folder_id, day, by }) => ({ labelId: label_id, folderId: folder_id, day, by })),
  );
  const stepsByEntry = Map.groupBy(steps, ({ entry_id }) => entry_id);
  const [account, modseq] = [...numbers][0]!;
  await ctx.db.rows(
    sql`update svc_mail_entry set modseq = ${modseq}, write_date = now()
     where workspace_id = ${ctx.workspace.id} and id = any(${[...stepsByEntry.keys()]}::int8[])`,
  );
  return [...stepsByEntry].map(([id, changes]) => ({
    id,
    account_id: account,
    folderIds: [],
    steps: changes,
  }));
}

const attachLabels = (ctx: Ctx, ids: number[], labels: number[]) =>
  ctx.db.rows<EntryLabel>(
    sql`insert into svc_mail_entry_label (workspace_id, entry_id, label_id, folder_id, date)
     select e.workspace_id, e.id, l.id, e.folder_id, e.date from svc_mail_entry e
     cross join unnest(${labels}::int[]) l(id)
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}::int8[])
     on conflict (workspace_id, entry_id, label_id) do nothing
     returning entry_id, label_id, folder_id, (date::date - date '1970-01-01') as day`,
  );

const detachLabels = (ctx: Ctx, ids: number[], labels: number[]) =>
  ctx.db.rows<EntryLabel>(
    sql`delete from svc_mail_entry_label
     where workspace_id = ${ctx.workspace.id} and entry_id = any(${ids}::int8[]) and label_id = any(${labels}::int[])
     returning entry_id, label_id, folder_id, (date::date - date '1970-01-01') as day`,
  );

const buildUndoCalls = (steps: LabelChange[]): UndoCall[] =>
  [...Map.groupBy(steps, ({ label_id, by }) => label_id * by)].map(([label, changes]) => ({
    method: 'set_labels',
    arguments: {
      entry_ids: changes.map(({ entry_id }) => entry_id),
      [label > 0 ? 'remove_label_ids' : 'add_label_ids']: [Math.abs(label)],
    },
  }));
