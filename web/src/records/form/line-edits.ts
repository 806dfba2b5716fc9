import { findLaterEdits } from '../../ui/form/later-edits.ts';
import type { LineEdits } from '../document.ts';
import { type FormValues, isEditable } from '../fields.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';

export type LineTransition =
  | { type: 'add'; key: string }
  | { type: 'changeAdded'; key: string; values: FormValues }
  | { type: 'removeAdded'; key: string }
  | { type: 'change'; id: string; values: FormValues }
  | { type: 'remove'; id: string };

export const createLineEdits = (model: ModelDescription, columns: FieldDescription[]): LineEdits => ({
  model,
  columns,
  fields: model.fields.filter(isEditable),
  added: [],
  changed: {},
  removedIds: [],
});

export function reduceLines(edits: LineEdits, transition: LineTransition): LineEdits {
  const { added, changed, removedIds } = edits;
  switch (transition.type) {
    case 'add':
      return { ...edits, added: [...added, { key: transition.key, values: {} }] };
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
    case 'remove': {
      const { [transition.id]: _removed, ...others } = changed;
      return { ...edits, changed: others, removedIds: [...removedIds, transition.id] };
    }
  }
}

/**
 * Returns the ids of the added lines by key. The server creates them in this order.
 * @param newest the newest lines of the record. If they are fewer than the added lines, the ids are unknown.
 */
export function findCreatedIds({ added }: LineEdits, newest: readonly { id: string }[]): Map<string, string> {
  if (newest.length < added.length) return new Map();
  const ids = newest.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
  return new Map(added.map(({ key }, index) => [key, ids[index]!]));
}

/**
 * Finds the edits that the user made during a save, or returns null. Edits of an added line become changes of the
 * created line.
 * @param createdIds ids of the created lines, by key
 */
export function findLaterLines(
  sent: LineEdits,
  now: LineEdits,
  createdIds: ReadonlyMap<string, string>,
): LineEdits | null {
  const sentKeys = new Map(sent.added.map(({ key, values }) => [key, values]));
  const removedKeys = sent.added.filter(({ key }) => !now.added.some((line) => line.key === key));
  const changed = [
    ...Object.entries(now.changed).map(([id, values]) => [id, sent.changed[id], values] as const),
    ...now.added.map(({ key, values }) => [createdIds.get(key), sentKeys.get(key), values] as const),
  ].flatMap(([id, before = {}, values]) => {
    const later = findLaterEdits(before, values);
    return id !== undefined && Object.keys(later).length > 0 ? [[id, later] as const] : [];
  });
  const later: LineEdits = {
    ...now,
    added: now.added.filter(({ key }) => !sentKeys.has(key)),
    changed: Object.fromEntries(changed),
    removedIds: [
      ...now.removedIds.filter((id) => !sent.removedIds.includes(id)),
      ...removedKeys.flatMap(({ key }) => createdIds.get(key) ?? []),
    ],
  };
  const hasEdits = later.added.length + changed.length + later.removedIds.length > 0;
  return hasEdits ? later : null;
}
