import { bulkStrings } from '../bulk-strings.ts';
import { isEditable } from '../fields.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';

type Target = readonly [path: string, label: string];

const isLink = ({ type }: FieldDescription): boolean => type === 'MANY2ONE' || type === 'MANY2MANY';

/** Returns the possible targets of a column: ids, fields, and related records by name or id. */
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

/** Returns the most likely target of a column, or an empty string. */
export function guessTarget(model: ModelDescription, targets: readonly Target[], column: string): string {
  const usedPaths = new Set(targets.map(([path]) => path));
  const normalized = normalizeName(column);
  if (!normalized) return '';
  const byTarget = targets.find((target) => target.some((item) => normalizeName(item) === normalized));
  if (byTarget) return byTarget[0];
  const field = model.fields.find(
    ({ name, label, graphqlName, relationName }) =>
      usedPaths.has(name) &&
      [name, label, graphqlName, relationName].some((item) => normalizeName(item ?? '') === normalized),
  );
  return field?.name ?? '';
}

/** Ignores case, spaces and hyphens. The separators of paths are significant. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}./]/gu, '');

/** Returns the label of a target that several columns use, or null. */
export function findDuplicate(targets: readonly Target[], columns: readonly string[]): string | null {
  const used = columns.filter((path) => path !== '');
  const path = used.find((item, index) => used.indexOf(item) !== index);
  return path === undefined ? null : (targets.find(([targetPath]) => targetPath === path)?.[1] ?? path);
}
