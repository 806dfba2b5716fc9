import { useRef, useState } from 'react';
import type { Folder } from '../address.ts';
import type { SelectedMessages } from '../select/selection.ts';
import { mailStrings } from '../strings.ts';
import type { CommandContext, CommandDialog } from './command-context.ts';
import { createMailCommands, getMovedMessage } from './mail-commands.ts';
import { createTargetChanges } from './target-changes.ts';

export type MailCommandState = ReturnType<typeof useMailCommands>;

export function useMailCommands(context: CommandContext) {
  const [dialog, setDialog] = useState<CommandDialog>();
  const latest = useRef(context);
  latest.current = context;
  const getContext = () => latest.current;
  const changes = createTargetChanges(getContext, setDialog);
  const { changeTargets, findMessages, clearRemoved } = changes;
  return {
    commands: createMailCommands(getContext, changes, setDialog),
    dialog,
    closeDialog: () => setDialog(undefined),
    moveTo: (to: Folder, only?: SelectedMessages) =>
      void changeTargets({ to: to.id }, getMovedMessage(to), true, only),
    async setLabel(label: string, isOn: boolean) {
      const change = isOn ? { add: [label] } : { remove: [label] };
      const message = isOn ? mailStrings.labelAdded : mailStrings.labelRemoved;
      const { actions, choosing } = getContext();
      if (choosing.isAll) return setDialog({ kind: 'found', change, message, isGone: false });
      const ids = [...(await findMessages()).keys()];
      if (dialog?.kind !== 'labels' || !(await actions.change(ids, change, message))) return;
      const has = dialog.has.filter((item) => item !== label);
      setDialog({ ...dialog, has: isOn ? [...has, label] : has });
    },
    async deleteForever(ids: readonly string[]) {
      if (await getContext().actions.deleteForever(ids)) clearRemoved(ids);
    },
    clearRemoved,
  };
}
