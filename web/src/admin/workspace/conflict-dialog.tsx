import { formatInstant } from '../../i18n/format.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { GuardedValues, LastChange } from './guarded.ts';
import { adminWords } from './words.ts';

interface ConflictDialogProps {
  fields: readonly { name: string; label: string }[];
  /** Who has saved, and when. */
  kept: LastChange;
  mine: GuardedValues;
  theirs: GuardedValues;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Asks what is to stay where somebody else has saved another value meanwhile. */
export const ConflictDialog = ({
  fields,
  kept,
  mine,
  theirs,
  onMine,
  onTheirs,
  onClose,
}: ConflictDialogProps) => (
  <Dialog title={adminWords.clash} onClose={onClose}>
    <p>
      {kept.updatedAt
        ? adminWords.clashText(kept.updatedBy?.displayName ?? '', formatInstant(kept.updatedAt))
        : adminWords.clashUnknown}
    </p>
    <table className="figures-table">
      <thead>
        <tr>
          <th scope="col">{adminWords.value}</th>
          <th scope="col">{adminWords.mine}</th>
          <th scope="col">{adminWords.theirs}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, label }) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td>{formatValue(mine[name])}</td>
            <td>{formatValue(theirs[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <div className="buttons">
      <Button look="primary" onClick={onMine}>
        {adminWords.keepMine}
      </Button>
      <Button onClick={onTheirs}>{adminWords.takeTheirs}</Button>
      <Button onClick={onClose}>{shellWords.cancel}</Button>
    </div>
  </Dialog>
);

const formatValue = (value: string | boolean | null | undefined): string =>
  typeof value === 'boolean' ? adminWords.onOff[value ? 'on' : 'off'] : (value ?? '–');
