import { useRef, useState } from 'react';
import { ask, change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { shellWords } from '../../shell/words.ts';
import { sayWrong } from '../../ui/toasts.tsx';
import {
  inputOf,
  type RecordAnswer,
  type RecordValues,
  recordDocument,
  rightsOf,
  writeDocument,
} from '../document.ts';
import { isEditable, withValue } from '../fields.ts';
import { type Described, type DescribedField, inputKeyOf, keyOf } from '../model.ts';
import { textOf } from '../value.tsx';

/** A cell that is being edited, and why its value was refused. */
export interface Edited {
  id: string;
  field: DescribedField;
  /** As `enteredValue` gives it. */
  value: unknown;
  error: string | null;
}

/** What somebody else has saved in the cell meanwhile. */
export interface CellConflict {
  field: DescribedField;
  mine: RecordValues;
  theirs: RecordValues;
}

/** Kinds of which a cell has room for the input. */
const IN_CELLS = new Set<DescribedField['type']>([
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
export function editedField(model: Described, column: DescribedField): DescribedField | null {
  const field =
    column.name === 'display_name' ? model.fields.find(({ name }) => name === model.displayField) : column;
  return field && IN_CELLS.has(field.type) && isEditable(field) && rightsOf(model).update ? field : null;
}

/** What is asked of records beside the columns, so that cells can be edited. Pure. */
export const cellFields = (model: Described, columns: DescribedField[]): DescribedField[] => [
  ...columns.flatMap((column) => editedField(model, column) ?? []),
  ...stampsOf(model),
];

const stampsOf = ({ fields }: Described): DescribedField[] =>
  fields.filter((field) => (field.name === 'write_date' || field.name === 'write_uid') && keyOf(field));

/** Values of cells: shown as entered at once, and back with the reason where the server refuses. */
export function useCells(model: Described) {
  const [edited, setEdited] = useState<Edited | null>(null);
  const latest = useRef(edited);
  latest.current = edited;
  const [entered, setEntered] = useState<Record<string, object>>({});
  const [conflict, setConflict] = useState<CellConflict | null>(null);
  const save = async (record: RecordValues, field: DescribedField, value: unknown, isSure = false) => {
    const { id } = record;
    setEdited(null);
    const changes = withValue(field, value);
    const input = inputOf([field], changes, false);
    if (!isSure && same(input[inputKeyOf(field)!], record[inputKeyOf(field)!])) return;
    setEntered((old) => ({ ...old, [id]: { ...old[id], ...changes } }));
    try {
      const theirs = await freshCell(model, id, field);
      if (!isSure && theirs && textOf(model, field, theirs) !== textOf(model, field, record)) {
        setConflict({ field, mine: { ...record, ...changes }, theirs });
        return;
      }
      const unchanged = theirs?.updatedAt ? { updatedAt: { eq: theirs.updatedAt } } : {};
      const where = { id: { eq: id }, ...unchanged };
      await change(writeDocument(model, [field, ...stampsOf(model)]), { where, input, count: 1 });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, message } = error.refusal;
      const why = code === 'OFFLINE' ? shellWords.unreachable : message;
      // Who is in another cell by now is told in passing.
      if (latest.current) sayWrong(why);
      else setEdited({ id, field, value, error: why });
    } finally {
      setEntered(({ [id]: _done, ...others }) => others);
    }
  };
  const shown = (record: RecordValues): RecordValues => ({ ...record, ...entered[record.id] });
  return { edited, setEdited, conflict, setConflict, save, shown };
}

const same = (one: unknown, other: unknown): boolean => (one ?? null) === (other ?? null);

async function freshCell(model: Described, id: string, field: DescribedField): Promise<RecordValues | null> {
  const document = recordDocument(model, [field, ...stampsOf(model)]);
  return document ? (await ask<RecordAnswer, { id: string }>(document, { id })).record : null;
}
