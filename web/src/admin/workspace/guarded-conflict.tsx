import { formatInstant } from '../../i18n/format.ts';
import { ConflictDialog, ConflictTable } from '../../shell/dialogs/conflict.tsx';
import type { FieldValue, GuardedValues, LastChange } from './guarded.ts';
import { adminStrings } from './strings.ts';

interface GuardedConflictProps {
  fields: readonly { name: string; label: string }[];
  lastChange: LastChange;
  mine: GuardedValues;
  theirs: GuardedValues;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

export function GuardedConflict({ fields, lastChange, mine, theirs, ...choice }: GuardedConflictProps) {
  const { updatedAt, updatedBy } = lastChange;
  return (
    <ConflictDialog
      title={adminStrings.conflict}
      text={
        updatedAt
          ? adminStrings.conflictText(updatedBy?.displayName ?? '', formatInstant(updatedAt))
          : adminStrings.conflictUnknown
      }
      {...choice}
    >
      <ConflictTable
        head={adminStrings.value}
        rows={fields.map(({ name, label }) => [label, formatValue(mine[name]), formatValue(theirs[name])])}
      />
    </ConflictDialog>
  );
}

const formatValue = (value: FieldValue | undefined): string =>
  typeof value === 'boolean' ? adminStrings.onOff[value ? 'on' : 'off'] : (value ?? '–');
