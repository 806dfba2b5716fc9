import { formatInstant } from '../../i18n/format.ts';
import { ConflictDialog, ConflictTable } from '../../shell/dialogs/conflict.tsx';
import type { NamedRecord, RecordValues } from '../document.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { formatFieldValue } from '../value.tsx';

interface RecordConflictProps {
  model: ModelDescription;
  fields: FieldDescription[];
  mine: RecordValues;
  theirs: RecordValues;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

export function RecordConflict({ model, fields, mine, theirs, ...choice }: RecordConflictProps) {
  const author = (theirs.updatedBy as NamedRecord | null | undefined)?.displayName;
  return (
    <ConflictDialog
      title={recordStrings.conflict}
      text={recordStrings.conflictText(author ?? '', formatInstant(String(theirs.updatedAt)))}
      {...choice}
    >
      <ConflictTable
        head={recordStrings.field}
        rows={fields.map((field) => [
          field.label,
          formatFieldValue(model, field, mine),
          formatFieldValue(model, field, theirs),
        ])}
      />
    </ConflictDialog>
  );
}
