import { bulkStrings } from '../bulk-strings.ts';
import { isEditable } from '../fields.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';

/** What a column of a file can be: the path that an import takes, and how it is called. */
export type Target = readonly [path: string, label: string];

const isLink = ({ type }: FieldDescription): boolean => type === 'MANY2ONE' || type === 'MANY2MANY';

/** What columns can be for a model: its ids, fields, and records that fields lead to by name or id. Pure. */
export function getTargets(model: ModelDescription): Target[] {
  const fields = model.fields
    .filter((field) => (isEditable(field) || field.name === 'active') && field.type !== 'ONE2MANY')
    .sort((a, b) => a.label.localeCompare(b.label));
  return [
    ['id', bulkStrings.externalId],
    ['.id', bulkStrings.databaseId],
    ...fields.flatMap((field): Target[] => {
      const { name, label } = field;
      if (!isLink(field)) return [[name, label]];
      return [
        [name, bulkStrings.byName(label)],
        [`${name}/id`, bulkStrings.byExternalId(label)],
        [`${name}/.id`, bulkStrings.byDatabaseId(label)],
      ];
    }),
  ];
}

/** What a column of this name is taken for at first; '' for nothing. Pure. */
export function guessTarget(model: ModelDescription, targets: readonly Target[], column: string): string {
  const known = new Set(targets.map(([path]) => path));
  const normalized = column.trim().toLowerCase();
  const byTarget = targets.find(([path, label]) => path === normalized || label.toLowerCase() === normalized);
  if (byTarget) return byTarget[0];
  const field = model.fields.find(
    ({ name, label, graphqlName, relationName }) =>
      known.has(name) &&
      [name, label, graphqlName, relationName].some((each) => each?.toLowerCase() === normalized),
  );
  return field?.name ?? '';
}

/** The label of what two columns are, which can be only one; null where there is none. Pure. */
export function findDuplicate(targets: readonly Target[], columns: readonly string[]): string | null {
  const used = columns.filter((path) => path !== '');
  const path = used.find((each, at) => used.indexOf(each) !== at);
  return path === undefined ? null : (targets.find(([known]) => known === path)?.[1] ?? path);
}
