import { useState } from 'react';
import { counted } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toasts.tsx';
import type { FoundList, MailActions, MailChange } from '../actions.ts';
import { mailWords } from '../words.ts';

/** As many as are changed while one waits; more are changed by a job. */
const MOST_AT_ONCE = 20_000;

interface FoundDialogProps {
  list: FoundList;
  /** How many messages are listed. */
  count: number;
  change: MailChange;
  /** What is said when it is done. */
  said: string;
  actions: MailActions;
  onDone(): void;
  onClose(): void;
}

/** Asks before all messages of a list are changed, under their number, and again where there are others by then. */
export function FoundDialog({ list, count, change, said, actions, onDone, onClose }: FoundDialogProps) {
  const [agreed, setAgreed] = useState(count);
  const [isBusy, setBusy] = useState(false);
  const isLong = agreed > MOST_AT_ONCE;
  const go = async () => {
    setBusy(true);
    try {
      if (isLong) {
        if (await actions.changeFoundLater(list, agreed, change)) say(mailWords.changingLater);
      } else {
        const now = await actions.changeFound(list, agreed, change, said);
        if (now !== null) return setAgreed(now);
      }
      onClose();
      onDone();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={mailWords.changeAllTitle} onClose={onClose}>
      {agreed !== count && <p role="alert">{mailWords.countChanged}</p>}
      <p>{counted(agreed, mailWords.changeAllText(mailWords.changeNames[kindOf(change)]))}</p>
      {isLong && <p className="quiet">{mailWords.changeLaterText}</p>}
      <div className="buttons">
        <Button look="danger" isBusy={isBusy} onClick={() => void go()}>
          {mailWords.changeNames[kindOf(change)]}
        </Button>
        <Button onClick={onClose}>{mailWords.cancel}</Button>
      </div>
    </Dialog>
  );
}

type ChangeKind = keyof typeof mailWords.changeNames;

/** What a change is called. Pure. */
export function kindOf({ vals, to, add }: MailChange): ChangeKind {
  if (to) return 'move';
  if (!vals) return add?.length ? 'label' : 'unlabel';
  if (vals.archive) return 'archive';
  if (vals.trash) return 'trash';
  if (typeof vals.isStarred === 'boolean') return vals.isStarred ? 'star' : 'unstar';
  return vals.isRead ? 'read' : 'unread';
}
