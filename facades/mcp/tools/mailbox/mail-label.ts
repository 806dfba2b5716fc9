import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call, callByName } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import { limits } from '../../../../src/limits.ts';
import { type ArgumentsOf, inputSchema, listNames } from '../../input-schema.ts';
import { buildConfirmationRequest, defineTool, type ToolResult } from '../../tool.ts';
import {
  buildIdSchema,
  buildTextSchema,
  CONFIRM_ARGUMENT,
  parseRows,
  requireArgument,
  toSavedResult,
  WRITING_TOOL,
} from '../kit.ts';

const METHODS = {
  create: 'create_label',
  rename: 'update_label',
  recolor: 'update_label',
  delete: 'delete_label',
};

const INPUT_SCHEMA = inputSchema(
  {
    action: { type: 'string', enum: listNames(METHODS) },
    account_id: buildIdSchema('Required by create.'),
    label_id: buildIdSchema('Required by the other actions.'),
    name: buildTextSchema(`Truncated to ${limits.mail.labelName} characters.`),
    color: { type: 'integer', minimum: 0, maximum: 11 },
    confirm: CONFIRM_ARGUMENT,
  },
  ['action'],
);

type LabelArgs = ArgumentsOf<typeof INPUT_SCHEMA>;

export const mailLabelTool = defineTool({
  name: 'mail_label',
  title: 'Manage labels',
  description:
    'Creates, renames, recolors or deletes a label. Deleting a label requires confirm and keeps its messages.',
  inputSchema: INPUT_SCHEMA,
  ...WRITING_TOOL,
  effects: (_ctx, { action }) => ({ effects: action === 'delete' ? ['deletes'] : ['writes'], changes: 1 }),
  group: 'mail',
  feature: 'mail.organize',
  method: ({ action }) => METHODS[action as LabelArgs['action']] ?? null,
  run: async ({ ctx, args, confirmed }) => {
    if (args.action === 'create') return toSavedResult(await create(ctx, args));
    const labelId = requireArgument(args, 'label_id');
    if (args.action === 'rename')
      return toSavedResult(
        await call(ctx, 'mailLabelUpdate', { labelId, name: truncateName(requireArgument(args, 'name')) }),
      );
    if (args.action === 'recolor')
      return toSavedResult(
        await call(ctx, 'mailLabelUpdate', { labelId, color: requireArgument(args, 'color') }),
      );
    return confirmed
      ? toSavedResult(await call(ctx, 'mailLabelDelete', { labelId }))
      : previewDeletion(ctx, labelId);
  },
});

const truncateName = (name: string): string => [...name.trim()].slice(0, limits.mail.labelName).join('');

const create = (ctx: Ctx, args: LabelArgs) =>
  call(ctx, 'mailLabelCreate', {
    accountId: requireArgument(args, 'account_id'),
    name: truncateName(requireArgument(args, 'name')),
    ...(args.color !== undefined && { color: args.color }),
  });

interface LabelRow {
  id: number;
  name: string;
  total: number;
}

async function previewDeletion(ctx: Ctx, id: number): Promise<ToolResult> {
  const query = { model: 'svc.mail.label', ids: [id], fields: ['name', 'total'] };
  const [label] = parseRows<LabelRow[]>(await callByName(ctx, 'recordRead', query));
  if (!label) throw errors.user(`You have no label ${id}. Call mailbox_list to list your labels.`);
  const message = `The label "${label.name}" would be deleted. ${label.total} messages have it and would be kept.`;
  return buildConfirmationRequest({
    message,
    label: { label_id: id, name: label.name },
    messages: label.total,
  });
}
