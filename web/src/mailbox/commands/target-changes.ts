import { formatCount } from '../../i18n/format.ts';
import type { MailChange } from '../actions.ts';
import type { SelectedMessages } from '../select/selection.ts';
import { mailStrings } from '../strings.ts';
import { type CommandContext, type CommandDialog, findTargets } from './command-context.ts';

export interface TargetChanges {
  findMessages(): Promise<SelectedMessages>;
  changeMessages(
    ids: readonly string[],
    change: MailChange,
    message: string | undefined,
    removed: readonly string[],
  ): Promise<void>;
  /**
   * Changes the messages that the targets represent. Asks for confirmation if all messages in the list are selected.
   * @param isGone true if the messages leave the list
   * @param only rows to change instead of the targets
   */
  changeTargets(
    change: MailChange,
    message: string | undefined,
    isGone: boolean,
    only?: SelectedMessages,
  ): Promise<void>;
  /** Clears the selection, and closes the open message if it has left the list. */
  clearRemoved(ids: readonly string[]): void;
}

/** @param getContext returns the current context, which can change during a request */
export function createTargetChanges(
  getContext: () => CommandContext,
  openDialog: (dialog: CommandDialog) => void,
): TargetChanges {
  const changes: TargetChanges = {
    findMessages: async () => {
      const targets = await findTargets(getContext());
      return getContext().whole(targets);
    },
    async changeMessages(ids, change, message, removed) {
      if (ids.length === 0 || !(await getContext().actions.change(ids, change, message))) return;
      if (removed.length > 0) changes.clearRemoved(removed);
    },
    async changeTargets(change, message, isGone, only) {
      const context = getContext();
      if (context.choosing.isAll && !only)
        return openDialog({ kind: 'found', change, message: message ?? mailStrings.updated, isGone });
      const rows = only ?? (await findTargets(context));
      // A star applies to a single message, not to the conversation.
      const messages = change.vals?.isStarred === undefined ? await getContext().whole(rows) : rows;
      const manyText = messages.size > 1 ? formatCount(messages.size, mailStrings.updatedCount) : undefined;
      const ids = [...messages.keys()];
      await changes.changeMessages(ids, change, message ?? manyText, isGone ? [...rows.keys(), ...ids] : []);
    },
    clearRemoved(ids) {
      const { choosing, open, close } = getContext();
      choosing.clear();
      if (open && ids.includes(open)) close();
    },
  };
  return changes;
}
