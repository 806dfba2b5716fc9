import { formatCount } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { MailCommands } from '../mail-commands.ts';
import { mailStrings } from '../strings.ts';
import type { ListSelection } from './use-selection.ts';

interface SelectionBarProps {
  choosing: ListSelection;
  deeds: MailCommands;
  /** True if messages can be archived, moved and labeled. */
  canOrganize: boolean;
  /** True if deleting here is permanent. */
  isForGood: boolean;
}

export const SelectionBar = ({ choosing, deeds, canOrganize, isForGood }: SelectionBarProps) => (
  <div className="mail-chosen" role="toolbar" aria-label={mailStrings.chosen}>
    <IconButton icon="close" label={mailStrings.chooseNone} onClick={choosing.clear} />
    <strong role="status" className="figures">
      {formatCount(choosing.count, choosing.isAll ? mailStrings.allChosen : mailStrings.countChosen)}
    </strong>
    <span className="grow" />
    {canOrganize && <IconButton icon="archive" label={mailStrings.archive} onClick={deeds.archive} />}
    <IconButton
      icon="trash"
      label={isForGood ? mailStrings.deleteForever : mailStrings.trash}
      onClick={deeds.trash}
    />
    {canOrganize && <IconButton icon="spam" label={mailStrings.spam} onClick={deeds.spam} />}
    <IconButton icon="star" label={mailStrings.star} onClick={() => deeds.star(true)} />
    <IconButton icon="check" label={mailStrings.markRead} onClick={() => deeds.read(true)} />
    <IconButton icon="mail" label={mailStrings.markUnread} onClick={() => deeds.read(false)} />
    {canOrganize && <Button onClick={deeds.askMove}>{mailStrings.moveTo}…</Button>}
    {canOrganize && <IconButton icon="label" label={`${mailStrings.labels}…`} onClick={deeds.askLabels} />}
  </div>
);
