import { useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { FoundList, MailActions, MailChange } from '../actions.ts';
import { mailStrings } from '../strings.ts';

/** Maximum number of messages to change while the dialog is open. Larger changes run as a background job. */
const MAX_IMMEDIATE_CHANGES = 20_000;

interface ChangeAllDialogProps {
  list: FoundList;
  count: number;
  change: MailChange;
  message: string;
  actions: MailActions;
  onDone(): void;
  onClose(): void;
}

/** Asks for confirmation before all messages in a list are changed, and again if their number has changed. */
export function ChangeAllDialog({
  list,
  count,
  change,
  message,
  actions,
  onDone,
  onClose,
}: ChangeAllDialogProps) {
  const [confirmedCount, setConfirmedCount] = useState(count);
  const [isBusy, setIsBusy] = useState(false);
  const kind = getChangeKind(change);
  const isBackground = confirmedCount > MAX_IMMEDIATE_CHANGES;
  const changeAll = async () => {
    setIsBusy(true);
    try {
      if (isBackground) {
        if (await actions.changeFoundLater(list, confirmedCount, change))
          showToast(mailStrings.changingLater);
      } else {
        const now = await actions.changeFound(list, confirmedCount, change, message);
        if (now !== null) return setConfirmedCount(now);
      }
      onClose();
      onDone();
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={mailStrings.changeAllTitle} onClose={onClose}>
      {confirmedCount !== count && <p role="alert">{mailStrings.countHasChanged}</p>}
      <p>{formatCount(confirmedCount, mailStrings.changeAllText(mailStrings.changeNames[kind]))}</p>
      {isBackground && <p className="quiet">{mailStrings.changeLaterText}</p>}
      <DialogButtons onClose={onClose}>
        <Button
          look={kind === 'trash' ? 'danger' : 'primary'}
          isBusy={isBusy}
          onClick={() => void changeAll()}
        >
          {mailStrings.changeNames[kind]}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

type ChangeKind = keyof typeof mailStrings.changeNames;

function getChangeKind({ vals, to, add }: MailChange): ChangeKind {
  if (to) return 'move';
  if (!vals) return add?.length ? 'label' : 'unlabel';
  if (vals.archive) return 'archive';
  if (vals.trash) return 'trash';
  if (typeof vals.isStarred === 'boolean') return vals.isStarred ? 'star' : 'unstar';
  return vals.isRead ? 'read' : 'unread';
}
