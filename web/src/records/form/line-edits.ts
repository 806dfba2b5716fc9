import { buildInput, type LineChanges } from '../document.ts';
import type { FormValues } from '../fields.ts';
import type { FieldDescription } from '../model.ts';

export interface LineEdits {
  added: FormValues[];
  /** Changed values by line id. */
  changed: Record<string, FormValues>;
  removedIds: string[];
}

export type LineTransition =
  | { type: 'add' }
  | { type: 'changeAdded'; index: number; values: FormValues }
  | { type: 'removeAdded'; index: number }
  | { type: 'change'; id: string; values: FormValues }
  | { type: 'remove'; id: string };

export const NO_LINE_EDITS: LineEdits = { added: [], changed: {}, removedIds: [] };

export function reduceLines(edits: LineEdits, transition: LineTransition): LineEdits {
  const { added, changed, removedIds } = edits;
  switch (transition.type) {
    case 'add':
      return { ...edits, added: [...added, {}] };
    case 'changeAdded': {
      const { index, values } = transition;
      return { ...edits, added: added.with(index, { ...added[index], ...values }) };
    }
    case 'removeAdded':
      return { ...edits, added: added.toSpliced(transition.index, 1) };
    case 'change': {
      const { id, values } = transition;
      return { ...edits, changed: { ...changed, [id]: { ...changed[id], ...values } } };
    }
    case 'remove':
      return { ...edits, removedIds: [...removedIds, transition.id] };
  }
}

export const toLineChanges = (
  fields: FieldDescription[],
  { added, changed, removedIds }: LineEdits,
): LineChanges => ({
  create: added.map((values) => buildInput(fields, values, true)),
  update: Object.entries(changed)
    .filter(([id]) => !removedIds.includes(id))
    .map(([id, values]) => ({ id, input: buildInput(fields, values, false) })),
  delete: removedIds,
});
