import { buildApiSpec, buildInput, type LineChanges, toApiValues } from '../document.ts';
import { type FormValues, isEditable } from '../fields.ts';
import type { FieldDescription } from '../model.ts';

export interface LineEdits {
  added: { key: string; values: FormValues }[];
  /** Number of lines added so far, including removed ones. */
  addedCount: number;
  /** Changed values by line id. */
  changed: Record<string, FormValues>;
  removedIds: string[];
}

export type LineTransition =
  | { type: 'add' }
  | { type: 'changeAdded'; key: string; values: FormValues }
  | { type: 'removeAdded'; key: string }
  | { type: 'change'; id: string; values: FormValues }
  | { type: 'remove'; id: string };

export const NO_LINE_EDITS: LineEdits = { added: [], addedCount: 0, changed: {}, removedIds: [] };

export function reduceLines(edits: LineEdits, transition: LineTransition): LineEdits {
  const { added, addedCount, changed, removedIds } = edits;
  switch (transition.type) {
    case 'add':
      return {
        ...edits,
        added: [...added, { key: `new ${addedCount}`, values: {} }],
        addedCount: addedCount + 1,
      };
    case 'changeAdded': {
      const { key, values } = transition;
      return {
        ...edits,
        added: added.map((line) =>
          line.key === key ? { key, values: { ...line.values, ...values } } : line,
        ),
      };
    }
    case 'removeAdded':
      return { ...edits, added: added.filter(({ key }) => key !== transition.key) };
    case 'change': {
      const { id, values } = transition;
      return { ...edits, changed: { ...changed, [id]: { ...changed[id], ...values } } };
    }
    case 'remove':
      return { ...edits, removedIds: [...removedIds, transition.id] };
  }
}

/** Converts edits to changes. @param shown fields whose computed values the form shows */
export function toLineChanges(
  modelFields: FieldDescription[],
  shown: FieldDescription[],
  { added, changed, removedIds }: LineEdits,
): LineChanges {
  const fields = modelFields.filter(isEditable);
  const updates = Object.entries(changed).filter(([id]) => !removedIds.includes(id));
  return {
    create: added.map(({ values }) => buildInput(fields, values, true)),
    update: updates.map(([id, values]) => ({ id, input: buildInput(fields, values, false) })),
    delete: removedIds,
    spec: buildApiSpec(shown, {}),
    commands: [
      ...removedIds.map((id) => [2, Number(id)]),
      ...updates.map(([id, values]) => [1, Number(id), toApiValues(fields, values)]),
      // The server could not compute an order with an empty line.
      ...added.flatMap(({ key, values }) =>
        Object.keys(values).length > 0 ? [[0, key, toApiValues(fields, values)]] : [],
      ),
    ],
  };
}
