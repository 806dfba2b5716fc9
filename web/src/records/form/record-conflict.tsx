import { formatInstant } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { NamedRecord, RecordValues } from '../document.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import { formatFieldValue } from '../value.tsx';
import { recordWords } from '../words.ts';

interface RecordConflictProps {
  model: ModelDescription;
  /** What the person has changed. */
  fields: FieldDescription[];
  mine: RecordValues;
  theirs: RecordValues;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Asks what is to stay where somebody else has saved the same record meanwhile. */
export function RecordConflict({
  model,
  fields,
  mine,
  theirs,
  onMine,
  onTheirs,
  onClose,
}: RecordConflictProps) {
  const who = (theirs.updatedBy as NamedRecord | null | undefined)?.displayName;
  return (
    <Dialog title={recordWords.conflict} onClose={onClose}>
      <p>{recordWords.conflictText(who ?? '', formatInstant(String(theirs.updatedAt)))}</p>
      <div className="scroll-x">
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{recordWords.filterField}</th>
              <th scope="col">{recordWords.mine}</th>
              <th scope="col">{recordWords.theirs}</th>
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
      <div className="buttons">
        <Button look="primary" onClick={onMine}>
          {recordWords.keepMine}
        </Button>
        <Button onClick={onTheirs}>{recordWords.takeTheirs}</Button>
        <Button onClick={onClose}>{recordWords.cancel}</Button>
      </div>
    </Dialog>
  );
}
