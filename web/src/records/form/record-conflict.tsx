import { formatInstant } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
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

export function RecordConflict({
  model,
  fields,
  mine,
  theirs,
  onMine,
  onTheirs,
  onClose,
}: RecordConflictProps) {
  const author = (theirs.updatedBy as NamedRecord | null | undefined)?.displayName;
  return (
    <Dialog title={recordStrings.conflict} onClose={onClose}>
      <p>{recordStrings.conflictText(author ?? '', formatInstant(String(theirs.updatedAt)))}</p>
      <div className="scroll-x">
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{recordStrings.field}</th>
              <th scope="col">{recordStrings.mine}</th>
              <th scope="col">{recordStrings.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <th scope="row">{field.label}</th>
                <td>{formatFieldValue(model, field, mine)}</td>
                <td>{formatFieldValue(model, field, theirs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DialogButtons onClose={onClose}>
        <Button look="primary" onClick={onMine}>
          {recordStrings.keepMine}
        </Button>
        <Button onClick={onTheirs}>{recordStrings.takeTheirs}</Button>
      </DialogButtons>
    </Dialog>
  );
}
