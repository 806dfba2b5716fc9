import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import type { ShapeParts } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { defineMailboxModel } from '../accounts/mailbox-access.ts';
import { createMailAccessError, getMemberMailbox } from '../accounts/member-access.ts';
import { lockForChange } from '../accounts/modseq.ts';
import { isSameName, parseName } from '../kit/name.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';

defineMailboxModel(
  'svc.mail.label',
  { type: 'MailLabel', one: 'mailLabel', many: 'mailLabels' },
  { order: 'name, id' },
);

const MAX_LABELS = 500;

const LABEL_SHAPE: ShapeParts = {
  labelId: { type: 'ID', description: 'Id of the label. Null if the call was rejected.' },
  name: { type: 'String', description: 'Name of the label.' },
  color: { type: 'Int', description: 'Color index of the label, from 0 to 11.' },
};

const LABEL_NAME_DESCRIPTION = `Name, up to ${limits.mail.labelName} characters.`;

export const mailLabelCreate = defineOperation('mailLabelCreate', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_label',
  address: 'svc.mail.account/create_label',
  policy: MAIL_WRITE_POLICY,
  description: 'Creates a label in a mailbox, or returns the existing label with this name.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    name: arg.string({ required: true, description: LABEL_NAME_DESCRIPTION }),
    color: arg.int({ description: 'Color index, from 0 to 11.' }),
  }),
  ...returnOutcome(
    'MailLabelCreated',
    'The created label, or the existing label with this name.',
    LABEL_SHAPE,
  ),
  run: (ctx, { accountId, name, color }) =>
    catchMailError(() => createLabel(ctx, accountId, name, color ?? 0)),
});

export const mailLabelUpdate = defineOperation('mailLabelUpdate', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_label',
  address: 'svc.mail.account/update_label',
  policy: MAIL_WRITE_POLICY,
  description: 'Renames a label or changes its color. Rejected if another label already has the name.',
  args: (arg) => ({
    labelId: arg.recordId({ required: true, description: 'Label.' }),
    name: arg.string({ description: `${LABEL_NAME_DESCRIPTION} Unchanged if omitted.` }),
    color: arg.int({ description: 'Color index, from 0 to 11. Unchanged if omitted.' }),
  }),
  ...returnOutcome('MailLabelUpdated', 'Result of changing a label.', LABEL_SHAPE),
  run: (ctx, { labelId, name, color }) =>
    catchMailError(() => updateLabel(ctx, labelId, name ?? null, color ?? null)),
});

export const mailLabelDelete = defineOperation('mailLabelDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  tool: 'mail_label',
  address: 'svc.mail.account/delete_label',
  policy: MAIL_WRITE_POLICY,
  description: 'Deletes a label. Messages with the label are kept.',
  args: (arg) => ({ labelId: arg.recordId({ required: true, description: 'Label.' }) }),
  ...returnOutcome('MailLabelDeleted', 'Result of deleting a label.'),
  run: (ctx, { labelId }) => catchMailError(() => deleteLabel(ctx, labelId)),
});

interface Label {
  id: number;
  account_id: number;
  company_id: number | null;
  name: string;
  color: number;
}

const toLabelResult = ({ id, name, color }: Pick<Label, 'id' | 'name' | 'color'>) => ({
  label_id: id,
  name,
  color,
});

const MAX_COLOR = 11;

function checkColor(color: number): void {
  if (color < 0 || color > MAX_COLOR) throw new MailError(`A color must be a number from 0 to ${MAX_COLOR}.`);
}

async function createLabel(ctx: Ctx, accountId: number, newName: string, color: number) {
  const account = await getMemberMailbox(ctx, accountId);
  await requireFeature(ctx, account.company_id, 'mail.organize');
  const name = parseName(newName, limits.mail.labelName, 'label');
  checkColor(color);
  return ctx.tx(async (tx) => {
    await lockForChange(tx, accountId, { kind: 'labels' });
    const labels = await tx.db.rows<Pick<Label, 'id' | 'name' | 'color'>>(
      sql`select id, name, color from svc_mail_label
       where workspace_id = ${tx.workspace.id} and account_id = ${accountId}`,
    );
    const existingLabel = labels.find((label) => isSameName(label.name, name));
    if (existingLabel) return toLabelResult(existingLabel);
    if (labels.length >= MAX_LABELS) throw new MailError(`A mailbox may have at most ${MAX_LABELS} labels.`);
    const id = await allocateId(tx, 'svc_mail_label');
    const author = tx.principal?.userId ?? null;
    await tx.db.rows(
      sql`insert into svc_mail_label (workspace_id, id, account_id, name, color, create_uid, write_uid)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${name}, ${color}, ${author}, ${author})`,
    );
    return toLabelResult({ id, name, color });
  });
}

async function updateLabel(ctx: Ctx, id: number, newName: string | null, color: number | null) {
  const label = await getLabel(ctx, id);
  await requireFeature(ctx, label.company_id, 'mail.organize');
  const name = newName === null ? label.name : parseName(newName, limits.mail.labelName, 'label');
  if (color !== null) checkColor(color);
  return ctx.tx(async (tx) => {
    await lockForChange(tx, label.account_id, { kind: 'labels' });
    const otherRows = await tx.db.rows<{ name: string }>(
      sql`select name from svc_mail_label
       where workspace_id = ${tx.workspace.id} and account_id = ${label.account_id} and id <> ${id}`,
    );
    if (otherRows.some((other) => isSameName(other.name, name)))
      throw new MailError(`The mailbox already has a label called "${name}".`);
    const [changed] = await tx.db.rows<Pick<Label, 'id' | 'name' | 'color'>>(
      sql`update svc_mail_label set name = ${name}, color = coalesce(${color}::int, color), write_date = now(),
         write_uid = ${tx.principal?.userId ?? null}
       where workspace_id = ${tx.workspace.id} and id = ${id} returning id, name, color`,
    );
    if (!changed) throw createMailAccessError(tx, 'Label', 'svc.mail.label');
    return toLabelResult(changed);
  });
}

async function deleteLabel(ctx: Ctx, id: number) {
  const label = await getLabel(ctx, id);
  await requireFeature(ctx, label.company_id, 'mail.organize');
  await ctx.tx(async (tx) => {
    await lockForChange(tx, label.account_id, { kind: 'labels' });
    await tx.db.rows(
      sql`delete from svc_mail_entry_label where workspace_id = ${tx.workspace.id} and label_id = ${id}`,
    );
    await tx.db.rows(
      sql`delete from svc_mail_label_bucket where workspace_id = ${tx.workspace.id} and label_id = ${id}`,
    );
    await tx.db.rows(sql`delete from svc_mail_label where workspace_id = ${tx.workspace.id} and id = ${id}`);
  });
  return {};
}

/** @throws ACCESS_ERROR if the label does not exist, or the caller is not a member of its mailbox */
async function getLabel(ctx: Ctx, id: number): Promise<Label> {
  const [label] = await ctx.db.rows<Label>(
    sql`select l.id, l.account_id, a.company_id, l.name, l.color from svc_mail_label l
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = l.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = l.account_id and a.active
     where l.workspace_id = ${ctx.workspace.id} and l.id = ${id}`,
  );
  if (!label) throw createMailAccessError(ctx, 'Label', 'svc.mail.label');
  return label;
}
