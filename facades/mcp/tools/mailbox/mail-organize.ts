import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { UndoStep } from '../../../../src/engine/operation/agent.ts';
import { call } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import { type ArgumentsOf, inputSchema, listNames } from '../../input-schema.ts';
import { buildConfirmationRequest, defineTool, toToolResult } from '../../tool.ts';
import { buildIdSchema, buildIdsSchema, CONFIRM_ARGUMENT, unwrapResult, WRITING_TOOL } from '../kit.ts';

const MAX_ORGANIZED_MESSAGES = 100;
const MAX_UNCONFIRMED_MESSAGES = 25;

/** Flags of `mailFlag` for each action. Null for a move. */
const ACTIONS = {
  mark_read: { isRead: true },
  mark_unread: { isRead: false },
  star: { isStarred: true },
  unstar: { isStarred: false },
  archive: { archive: true },
  trash: { trash: true },
  restore: { untrash: true },
  move: null,
} as const;

type OrganizeAction = keyof typeof ACTIONS;

const INPUT_SCHEMA = inputSchema(
  {
    entry_ids: { ...buildIdsSchema(), minItems: 1, maxItems: MAX_ORGANIZED_MESSAGES },
    action: { type: 'string', enum: listNames(ACTIONS) },
    folder_id: buildIdSchema('With move.'),
    add_label_ids: { ...buildIdsSchema(), default: [] },
    remove_label_ids: { ...buildIdsSchema(), default: [] },
    confirm: CONFIRM_ARGUMENT,
  },
  ['entry_ids'],
);

type OrganizeArgs = ArgumentsOf<typeof INPUT_SCHEMA>;

export const mailOrganizeTool = defineTool({
  name: 'mail_organize',
  title: 'Organize mail',
  description:
    `Marks, moves or labels 1 to ${MAX_ORGANIZED_MESSAGES} messages. Returns their previous state and the ` +
    'calls that undo the change. Nothing is permanently deleted. trash, move and changes to more than ' +
    `${MAX_UNCONFIRMED_MESSAGES} messages require confirm.`,
  inputSchema: INPUT_SCHEMA,
  ...WRITING_TOOL,
  group: 'mail',
  method: ({ action }) => (action === 'move' ? 'move_entries' : action ? 'set_flags' : 'set_labels'),
  run: async ({ ctx, args, confirmed }) => {
    const input = { ...args, entry_ids: [...new Set(args.entry_ids)] };
    checkArguments(input);
    if (!confirmed && needsConfirmation(input))
      return buildConfirmationRequest({ message: describeAction(input) });
    const labeledSteps = await applyLabels(ctx, input);
    const outcome = await applyAction(ctx, input);
    const calls = [...outcome.undo, ...labeledSteps];
    const undo = calls.map(toToolCall);
    const touchedIds = new Set(undo.flatMap(({ arguments: { entry_ids: ids } }) => ids));
    return { ...toToolResult({ ok: true, previous: outcome.previous, undo }, touchedIds.size), undo: calls };
  },
});

const needsConfirmation = ({ action, entry_ids: ids }: Pick<OrganizeArgs, 'action' | 'entry_ids'>): boolean =>
  action === 'trash' || action === 'move' || ids.length > MAX_UNCONFIRMED_MESSAGES;

function describeAction({ entry_ids: ids, action, folder_id: folder }: OrganizeArgs): string {
  const change = action === 'move' ? `moved to folder ${folder}` : `changed (${action ?? 'labels'})`;
  return `${ids.length === 1 ? '1 message' : `${ids.length} messages`} would be ${change}.`;
}

function checkArguments({
  action,
  folder_id: folder,
  add_label_ids: add,
  remove_label_ids: remove,
}: OrganizeArgs): void {
  if (!action && add.length + remove.length === 0)
    throw errors.badValue('Pass an action, or labels to add or remove.');
  if (action === 'move' && !folder) throw errors.badValue('move requires folder_id.');
  if (action !== 'move' && folder) throw errors.badValue('folder_id can only be used with move.');
}

async function applyLabels(ctx: Ctx, args: OrganizeArgs): Promise<UndoStep[]> {
  const { entry_ids: entryIds, add_label_ids: addLabelIds, remove_label_ids: removeLabelIds } = args;
  if (addLabelIds.length + removeLabelIds.length === 0) return [];
  return unwrapResult(await call(ctx, 'mailSetLabels', { entryIds, addLabelIds, removeLabelIds })).undo;
}

async function applyAction(ctx: Ctx, { action, entry_ids: entryIds, folder_id: folderId }: OrganizeArgs) {
  if (!action) return { previous: [], undo: [] as UndoStep[] };
  const vals = ACTIONS[action];
  return unwrapResult(
    vals
      ? await call(ctx, 'mailFlag', { entryIds, vals })
      : await call(ctx, 'mailMove', { entryIds, folderId: folderId! }),
  );
}

function toToolCall({ method, arguments: undoArguments }: UndoStep) {
  const {
    entry_ids,
    vals = {},
    ...rest
  } = undoArguments as { entry_ids: number[]; vals?: Record<string, boolean> };
  const action = method === 'move_entries' ? 'move' : findFlagAction(vals);
  const args = { entry_ids, ...(action && { action }), ...rest };
  return { tool: 'mail_organize', arguments: { ...args, ...(needsConfirmation(args) && { confirm: true }) } };
}

function findFlagAction({ is_read, is_starred }: Record<string, boolean>): OrganizeAction | null {
  if (is_read !== undefined) return is_read ? 'mark_read' : 'mark_unread';
  if (is_starred !== undefined) return is_starred ? 'star' : 'unstar';
  return null;
}
