import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { UndoStep } from '../../../../src/engine/verb/agent.ts';
import { call } from '../../../../src/engine/verb/call.ts';
import { errors } from '../../../../src/errors.ts';
import { limits } from '../../../../src/limits.ts';
import { defineTool, needsConfirm, toolAnswer } from '../../tool.ts';
import { answers, CONFIRM, done, ID, IDS, takes, writes } from '../kit.ts';

/** What each action is among the flags of `mailFlag`; null for a move. */
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

type Action = keyof typeof ACTIONS;

interface Args {
  entry_ids: number[];
  action?: Action;
  folder_id?: number;
  add_label_ids: number[];
  remove_label_ids: number[];
}

export const mailOrganizeTool = defineTool<Args>({
  name: 'mail_organize',
  title: 'Organize mail',
  description:
    `Marks, moves or labels 1 to ${limits.mcp.organized} messages and returns how they were, with the calls that ` +
    `undo it. Nothing is deleted for good. trash, move and more than ${limits.mcp.organizedUnasked} messages need ` +
    'confirm.',
  inputSchema: takes(
    {
      entry_ids: { ...IDS(), minItems: 1, maxItems: limits.mcp.organized },
      action: { type: 'string', enum: Object.keys(ACTIONS) },
      folder_id: ID('With move.'),
      add_label_ids: { ...IDS(), default: [] },
      remove_label_ids: { ...IDS(), default: [] },
      confirm: CONFIRM,
    },
    ['entry_ids'],
  ),
  outputSchema: answers(),
  annotations: writes(),
  scope: 'write',
  effects: ['writes'],
  group: 'mail',
  method: ({ action }) => (action === 'move' ? 'move_entries' : action ? 'set_flags' : 'set_labels'),
  run: async ({ ctx, args, confirmed }) => {
    const asked = { ...args, entry_ids: [...new Set(args.entry_ids)] };
    check(asked);
    if (!confirmed && wantsConfirm(asked)) return needsConfirm({ message: messageOf(asked) });
    const labelled = await label(ctx, asked);
    const changed = await act(ctx, asked);
    const back = [...changed.undo, ...labelled];
    const undo = back.map(toolCallOf);
    const touched = new Set(undo.flatMap(({ arguments: { entry_ids: ids } }) => ids));
    return { ...toolAnswer({ ok: true, previous: changed.previous, undo }, touched.size), undo: back };
  },
});

const wantsConfirm = ({ action, entry_ids: ids }: Pick<Args, 'action' | 'entry_ids'>): boolean =>
  action === 'trash' || action === 'move' || ids.length > limits.mcp.organizedUnasked;

function messageOf({ entry_ids: ids, action, folder_id: folder }: Args): string {
  const what = action === 'move' ? `moved to folder ${folder}` : `changed (${action ?? 'labels'})`;
  return `${ids.length} messages would be ${what}. Nothing has been changed; repeat the call with confirm true.`;
}

/** @throws BAD_VALUE for arguments that do not go together */
function check({ action, folder_id: folder, add_label_ids: add, remove_label_ids: remove }: Args): void {
  if (!action && add.length + remove.length === 0)
    throw errors.badValue('Give an action, or labels to add or to remove.');
  if (action === 'move' && !folder) throw errors.badValue('move needs folder_id.');
  if (action !== 'move' && folder) throw errors.badValue('folder_id goes with move alone.');
}

async function label(ctx: Ctx, args: Args): Promise<UndoStep[]> {
  const { entry_ids: entryIds, add_label_ids: addLabelIds, remove_label_ids: removeLabelIds } = args;
  if (addLabelIds.length + removeLabelIds.length === 0) return [];
  return done(await call(ctx, 'mailSetLabels', { entryIds, addLabelIds, removeLabelIds })).undo;
}

async function act(ctx: Ctx, { action, entry_ids: entryIds, folder_id: folderId }: Args) {
  if (!action) return { previous: [], undo: [] as UndoStep[] };
  const vals = ACTIONS[action];
  return done(
    vals
      ? await call(ctx, 'mailFlag', { entryIds, vals })
      : await call(ctx, 'mailMove', { entryIds, folderId: folderId! }),
  );
}

/** The same as a call of this tool. */
function toolCallOf({ method, arguments: given }: UndoStep) {
  const { entry_ids, vals = {}, ...rest } = given as { entry_ids: number[]; vals?: Record<string, boolean> };
  const action = method === 'move_entries' ? 'move' : markOf(vals);
  const args = { entry_ids, ...(action && { action }), ...rest };
  return { tool: 'mail_organize', arguments: { ...args, ...(wantsConfirm(args) && { confirm: true }) } };
}

function markOf({ is_read, is_starred }: Record<string, boolean>): Action | null {
  if (is_read !== undefined) return is_read ? 'mark_read' : 'mark_unread';
  if (is_starred !== undefined) return is_starred ? 'star' : 'unstar';
  return null;
}
