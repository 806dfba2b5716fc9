import { formatCount } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { ListSelection } from '../select/use-selection.ts';
import { mailStrings } from '../strings.ts';
import type { MailCommands } from './mail-commands.ts';

interface SelectionBarProps {
  choosing: ListSelection;
  commands: MailCommands;
  /** True if messages can be archived, moved and labeled. */
  canOrganize: boolean;
  isForGood: boolean;
}

export const SelectionBar = ({ choosing, commands, canOrganize, isForGood }: SelectionBarProps) => (
  <div className="mail-chosen" role="toolbar" aria-label={mailStrings.selectedMessages}>
    <IconButton icon="close" label={mailStrings.clearSelection} onClick={choosing.clear} />
    <strong role="status" className="figures">
      {formatCount(choosing.count, choosing.isAll ? mailStrings.allSelectedCount : mailStrings.selectedCount)}
    </strong>
    <span className="grow" />
    {canOrganize && <IconButton icon="archive" label={mailStrings.archive} onClick={commands.archive} />}
    <IconButton
      icon="trash"
      label={isForGood ? mailStrings.deleteForever : mailStrings.trash}
      onClick={commands.trash}
    />
    {canOrganize && <IconButton icon="spam" label={mailStrings.spam} onClick={commands.spam} />}
    <IconButton icon="star" label={mailStrings.star} onClick={() => commands.star(true)} />
    <IconButton icon="check" label={mailStrings.markRead} onClick={() => commands.read(true)} />
    <IconButton icon="mail" label={mailStrings.markUnread} onClick={() => commands.read(false)} />
    {canOrganize && <Button onClick={commands.askMove}>{mailStrings.moveTo}…</Button>}
    {canOrganize && <IconButton icon="label" label={`${mailStrings.labels}…`} onClick={commands.askLabels} />}
  </div>
);
