import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call, callByName } from '../../../../src/engine/verb/call.ts';
import { errors } from '../../../../src/errors.ts';
import { limits } from '../../../../src/limits.ts';
import { defineTool, needsConfirm, type Shaped, toolAnswer } from '../../tool.ts';
import { answers, CONFIRM, done, ID, readAnswer, TEXT, takes, writes } from '../kit.ts';

interface Args {
  action: 'create' | 'rename' | 'recolor' | 'delete';
  account_id?: number;
  label_id?: number;
  name?: string;
  color?: number;
}

const METHODS = {
  create: 'create_label',
  rename: 'update_label',
  recolor: 'update_label',
  delete: 'delete_label',
};

export const mailLabelTool = defineTool<Args>({
  name: 'mail_label',
  title: 'Manage labels',
  description:
    'Creates, renames, recolors or deletes a label. Messages stay when it is deleted, which needs confirm.',
  inputSchema: takes(
    {
      action: { type: 'string', enum: Object.keys(METHODS) },
      account_id: ID('With create.'),
      label_id: ID('With the others.'),
      name: TEXT(`Cut to ${limits.mail.labelName} characters.`),
      color: { type: 'integer', minimum: 0, maximum: 11 },
      confirm: CONFIRM,
    },
    ['action'],
  ),
  outputSchema: answers(),
  annotations: writes(),
  scope: 'write',
  effects: (_ctx, { action }) => ({ does: action === 'delete' ? ['deletes'] : ['writes'], changes: 1 }),
  group: 'mail',
  feature: 'mail.organize',
  method: ({ action }) => METHODS[action as Args['action']] ?? null,
  run: async ({ ctx, args, confirmed }) => {
    if (args.action === 'create') return saved(await create(ctx, args));
    const labelId = needed(args, 'label_id');
    if (args.action === 'rename')
      return saved(await call(ctx, 'mailLabelUpdate', { labelId, name: cut(needed(args, 'name')) }));
    if (args.action === 'recolor')
      return saved(await call(ctx, 'mailLabelUpdate', { labelId, color: needed(args, 'color') }));
    return confirmed ? saved(await call(ctx, 'mailLabelDelete', { labelId })) : shownDelete(ctx, labelId);
  },
});

/** @throws BAD_VALUE where the action needs the argument */
function needed<Key extends keyof Args>(args: Args, key: Key): NonNullable<Args[Key]> {
  const value = args[key];
  if (value === undefined) throw errors.badValue(`${args.action} needs ${key}.`);
  return value;
}

const cut = (name: string): string => [...name.trim()].slice(0, limits.mail.labelName).join('');

const create = (ctx: Ctx, args: Args) =>
  call(ctx, 'mailLabelCreate', {
    accountId: needed(args, 'account_id'),
    name: cut(needed(args, 'name')),
    ...(args.color !== undefined && { color: args.color }),
  });

const saved = (answer: object): Shaped => toolAnswer({ ...done(answer) }, 1);

interface Label {
  id: number;
  name: string;
  total: number;
}

async function shownDelete(ctx: Ctx, id: number): Promise<Shaped> {
  const asked = { model: 'svc.mail.label', ids: [id], fields: ['name', 'total'] };
  const [label] = readAnswer<Label[]>(await callByName(ctx, 'recordRead', asked));
  if (!label) throw errors.user(`There is no label ${id}; mailbox_list lists yours.`);
  const message = `The label "${label.name}" would be deleted; ${label.total} messages carry it and stay.`;
  return needsConfirm({ message, label: { label_id: id, name: label.name }, messages: label.total });
}
