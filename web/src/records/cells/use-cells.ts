import { useRef, useState } from 'react';
import { runMutation, runQuery } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { shellStrings } from '../../shell/strings.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import {
  buildInput,
  buildRecordQuery,
  buildUpdateMutation,
  getRights,
  type RecordResult,
  type RecordValues,
} from '../document.ts';
import { isEditable, toFormChanges } from '../fields.ts';
import { type FieldDescription, getFieldKey, getInputKey, type ModelDescription } from '../model.ts';
import { formatFieldValue } from '../value.tsx';

/** A cell that is being edited, and why its value was refused. */
export interface EditedCell {
  id: string;
  field: FieldDescription;
  /** As `enteredValue` gives it. */
  value: unknown;
  error: string | null;
}

/** What somebody else has saved in the cell meanwhile. */
export interface CellConflict {
  field: FieldDescription;
  mine: RecordValues;
  theirs: RecordValues;
}

/** Kinds of which a cell has room for the input. */
const EDITABLE_TYPES = new Set<FieldDescription['type']>([
  'CHAR',
  'SELECTION',
  'MANY2ONE',
  'MONETARY',
  'FLOAT',
  'INTEGER',
  'DATE',
  'DATETIME',
  'BOOLEAN',
]);

/** The field that is edited in a column: of the name, what records are named by; null where none can be. Pure. */
export function findEditedField(model: ModelDescription, column: FieldDescription): FieldDescription | null {
  const field =
    column.name === 'display_name' ? model.fields.find(({ name }) => name === model.displayField) : column;
  return field && EDITABLE_TYPES.has(field.type) && isEditable(field) && getRights(model).update
    ? field
    : null;
}

/** What is asked of records beside the columns, so that cells can be edited. Pure. */
export const getCellFields = (model: ModelDescription, columns: FieldDescription[]): FieldDescription[] => [
  ...columns.flatMap((column) => findEditedField(model, column) ?? []),
  ...getStampFields(model),
];

const getStampFields = ({ fields }: ModelDescription): FieldDescription[] =>
  fields.filter((field) => (field.name === 'write_date' || field.name === 'write_uid') && getFieldKey(field));

/** Values of cells: shown as entered at once, and back with the reason where the server refuses. */
export function useCells(model: ModelDescription) {
  const [edited, setEdited] = useState<EditedCell | null>(null);
  const latest = useRef(edited);
  latest.current = edited;
  const [entered, setEntered] = useState<Record<string, object>>({});
  const [conflict, setConflict] = useState<CellConflict | null>(null);
  const save = async (record: RecordValues, field: FieldDescription, value: unknown, isSure = false) => {
    const { id } = record;
    setEdited(null);
    const changes = toFormChanges(field, value);
    const input = buildInput([field], changes, false);
    if (!isSure && isSameValue(input[getInputKey(field)!], record[getInputKey(field)!])) return;
    setEntered((old) => ({ ...old, [id]: { ...old[id], ...changes } }));
    try {
      const theirs = await loadCell(model, id, field);
      if (
        !isSure &&
        theirs &&
        formatFieldValue(model, field, theirs) !== formatFieldValue(model, field, record)
      ) {
        setConflict({ field, mine: { ...record, ...changes }, theirs });
        return;
      }
      const unchanged = theirs?.updatedAt ? { updatedAt: { eq: theirs.updatedAt } } : {};
      const where = { id: { eq: id }, ...unchanged };
      await runMutation(buildUpdateMutation(model, [field, ...getStampFields(model)]), {
        where,
        input,
        count: 1,
      });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { code, message } = error.failure;
      const reason = code === 'OFFLINE' ? shellStrings.unreachable : message;
      // Who is in another cell by now is told in passing.
      if (latest.current) showErrorToast(reason);
      else setEdited({ id, field, value, error: reason });
    } finally {
      setEntered(({ [id]: _done, ...others }) => others);
    }
  };
  const shown = (record: RecordValues): RecordValues => ({ ...record, ...entered[record.id] });
  return { edited, setEdited, conflict, setConflict, save, shown };
}

const isSameValue = (one: unknown, other: unknown): boolean => (one ?? null) === (other ?? null);

async function loadCell(
  model: ModelDescription,
  id: string,
  field: FieldDescription,
): Promise<RecordValues | null> {
  const document = buildRecordQuery(model, [field, ...getStampFields(model)]);
  return document ? (await runQuery<RecordResult, { id: string }>(document, { id })).record : null;
}
