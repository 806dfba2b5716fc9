import { formatCount } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { getFolders } from '../address.ts';
import { canMoveTo } from '../mail-location.ts';
import { ChangeAllDialog } from '../select/change-all-dialog.tsx';
import { LabelDialog } from '../select/label-dialog.tsx';
import { MoveDialog } from '../select/move-dialog.tsx';
import { mailStrings } from '../strings.ts';
import { toFoundList } from '../use-list-rows.ts';
import type { CommandContext } from './command-context.ts';
import type { MailCommandState } from './use-mail-commands.ts';

interface CommandDialogsProps extends Pick<CommandContext, 'state' | 'location' | 'open' | 'actions'> {
  doing: MailCommandState;
  q: string | undefined;
  /** Number of messages in the list, including messages that are not loaded. */
  messages: number | null;
}

export function CommandDialogs({ doing, state, location, open, actions, q, messages }: CommandDialogsProps) {
  const { dialog, closeDialog } = doing;
  switch (dialog?.kind) {
    case 'move':
      return (
        <MoveDialog
          folders={getFolders(state.folders, dialog.mailbox).filter((folder) => canMoveTo(folder, location))}
          onMove={doing.moveTo}
          onClose={closeDialog}
        />
      );
    case 'labels':
      return (
        <LabelDialog
          mailbox={dialog.mailbox}
          labels={state.labels.filter(({ accountId }) => accountId === dialog.mailbox)}
          has={dialog.has}
          onLabel={(label, isOn) => void doing.setLabel(label, isOn)}
          onClose={closeDialog}
        />
      );
    case 'forever':
      return (
        <ConfirmDialog
          title={mailStrings.deleteForever}
          yes={mailStrings.deleteForever}
          onYes={() => doing.deleteForever(dialog.ids)}
          text={formatCount(dialog.ids.length, mailStrings.deleteForeverText)}
          onClose={closeDialog}
        />
      );
    case 'found':
      return (
        <ChangeAllDialog
          {...dialog}
          list={toFoundList(location, q)}
          count={messages ?? 0}
          actions={actions}
          onDone={() => doing.clearRemoved(dialog.isGone && open ? [open] : [])}
          onClose={closeDialog}
        />
      );
  }
}
