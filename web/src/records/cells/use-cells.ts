import { useRef, useState } from 'react';
import { RequestError } from '../../graphql/request-error.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { buildInput, getRights, type RecordValues } from '../document.ts';
import { isEditable, toFormChanges } from '../fields.ts';
import { RecordChangedError, updateRecord } from '../form/save-record.ts';
import {
  CELL_TYPES,
  type FieldDescription,
  getFieldKey,
  getInputKey,
  type ModelDescription,
} from '../model.ts';
import { formatFieldValue } from '../value.tsx';

export interface EditedCell {
  id: string;
  field: FieldDescription;
  /** In the format of `getInputValue`. */
  value: unknown;
  error: string | null;
}

interface CellConflict {
  field: FieldDescription;
  mine: RecordValues;
  theirs: RecordValues;
}

/**
 * Returns the field that a column edits, or null if the column is read-only. The display name edits the field that it
 * is derived from.
 */
export function findEditedField(model: ModelDescription, column: FieldDescription): FieldDescription | null {
  const field =
    column.name === 'display_name' ? model.fields.find(({ name }) => name === model.displayField) : column;
  return field && CELL_TYPES.has(field.type) && isEditable(field) && getRights(model).update ? field : null;
}

/** Returns the fields that inline editing needs in addition to the columns. */
export const getCellFields = (model: ModelDescription, columns: FieldDescription[]): FieldDescription[] => [
  ...columns.flatMap((column) => findEditedField(model, column) ?? []),
  ...getStampFields(model),
];

const getStampFields = ({ fields }: ModelDescription): FieldDescription[] =>
  fields.filter((field) => (field.name === 'write_date' || field.name === 'write_uid') && getFieldKey(field));

/** Edits cells with optimistic values. An error reverts the value and reopens the cell. */
export function useCells(model: ModelDescription) {
  const [edited, setEdited] = useState<EditedCell | null>(null);
  const latest = useRef(edited);
  latest.current = edited;
  const [entered, setEntered] = useState<Record<string, object>>({});
  const [conflict, setConflict] = useState<CellConflict | null>(null);
  const save = async (record: RecordValues, field: FieldDescription, value: unknown) => {
    const { id } = record;
    setEdited(null);
    const changes = toFormChanges(field, value);
    const input = buildInput([field], changes, false);
    const format = (version: RecordValues) => formatFieldValue(model, field, version);
    if (isSameValue(input[getInputKey(field)!], record[getInputKey(field)!])) return;
    setEntered((old) => ({ ...old, [id]: { ...old[id], ...changes } }));
    try {
      await updateRecord({
        model,
        fields: [field, ...getStampFields(model)],
        base: record,
        input,
        isConflict: (theirs) => format(theirs) !== format(record),
      });
    } catch (error) {
      if (error instanceof RecordChangedError)
        return setConflict({ field, mine: { ...record, ...changes }, theirs: error.theirs });
      if (!(error instanceof RequestError)) throw error;
      const { message } = error.failure;
      // If another cell is being edited, the error is shown as a toast.
      if (latest.current) showErrorToast(message);
      else setEdited({ id, field, value, error: message });
    } finally {
      setEntered(({ [id]: _done, ...others }) => others);
    }
  };
  const addEnteredValues = (record: RecordValues): RecordValues => ({ ...record, ...entered[record.id] });
  return { edited, setEdited, conflict, setConflict, save, shown: addEnteredValues };
}

const isSameValue = (a: unknown, b: unknown): boolean => (a ?? null) === (b ?? null);
