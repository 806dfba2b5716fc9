import { formatCount } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { MailCommands } from '../mail-commands.ts';
import { mailWords } from '../words.ts';
import type { ListSelection } from './use-selection.ts';

interface SelectionBarProps {
  choosing: ListSelection;
  deeds: MailCommands;
  /** Whether messages can be archived, moved and labelled. */
  canOrganize: boolean;
  /** Whether deleting is for good here. */
  isForGood: boolean;
}

/** What can be done to the messages that are chosen. */
export const SelectionBar = ({ choosing, deeds, canOrganize, isForGood }: SelectionBarProps) => (
  <div className="mail-chosen" role="toolbar" aria-label={mailWords.chosen}>
    <IconButton icon="close" label={mailWords.chooseNone} onClick={choosing.clear} />
    <strong role="status" className="figures">
      {formatCount(choosing.count, choosing.isAll ? mailWords.allChosen : mailWords.countChosen)}
    </strong>
    <span className="grow" />
    {canOrganize && <IconButton icon="archive" label={mailWords.archive} onClick={deeds.archive} />}
    <IconButton
      icon="trash"
      label={isForGood ? mailWords.deleteForever : mailWords.trash}
      onClick={deeds.trash}
    />
    {canOrganize && <IconButton icon="spam" label={mailWords.spam} onClick={deeds.spam} />}
    <IconButton icon="star" label={mailWords.star} onClick={() => deeds.star(true)} />
    <IconButton icon="check" label={mailWords.markRead} onClick={() => deeds.read(true)} />
    <IconButton icon="mail" label={mailWords.markUnread} onClick={() => deeds.read(false)} />
    {canOrganize && <Button onClick={deeds.askMove}>{mailWords.moveTo}…</Button>}
    {canOrganize && <IconButton icon="label" label={`${mailWords.labels}…`} onClick={deeds.askLabels} />}
  </div>
);
