import { formatInstant } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { GuardedValues, LastChange } from './guarded.ts';
import { adminStrings } from './strings.ts';

interface ConflictDialogProps {
  fields: readonly { name: string; label: string }[];
  lastChange: LastChange;
  mine: GuardedValues;
  theirs: GuardedValues;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Asks which values to keep after another user has saved different ones. */
export const ConflictDialog = ({
  fields,
  lastChange,
  mine,
  theirs,
  onMine,
  onTheirs,
  onClose,
}: ConflictDialogProps) => (
  <Dialog title={adminStrings.conflict} onClose={onClose}>
    <p>
      {lastChange.updatedAt
        ? adminStrings.conflictText(
            lastChange.updatedBy?.displayName ?? '',
            formatInstant(lastChange.updatedAt),
          )
        : adminStrings.conflictUnknown}
    </p>
    <table className="figures-table">
      <thead>
        <tr>
          <th scope="col">{adminStrings.value}</th>
          <th scope="col">{adminStrings.mine}</th>
          <th scope="col">{adminStrings.theirs}</th>
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
    <DialogButtons onClose={onClose}>
      <Button look="primary" onClick={onMine}>
        {adminStrings.keepMine}
      </Button>
      <Button onClick={onTheirs}>{adminStrings.takeTheirs}</Button>
    </DialogButtons>
  </Dialog>
);

const formatValue = (value: string | boolean | null | undefined): string =>
  typeof value === 'boolean' ? adminStrings.onOff[value ? 'on' : 'off'] : (value ?? '–');
