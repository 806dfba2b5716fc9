import type { IrModelFieldsListNewInput } from './generated.ts';

/** Sorted by frequency of use. */
export const FIELD_KINDS = [
  'CHAR',
  'TEXT',
  'SELECTION',
  'MANY2ONE',
  'DATE',
  'DATETIME',
  'INTEGER',
  'FLOAT',
  'BOOLEAN',
  'MANY2MANY',
  'HTML',
  'BINARY',
] as const;
type FieldKind = (typeof FIELD_KINDS)[number];

export interface FieldDraft {
  /** Stable while other fields are added and removed. */
  key: number;
  label: string;
  kind: FieldKind;
  relation: string;
  options: string;
  required: boolean;
  help: string;
}

export const createDraft = (key: number): FieldDraft => ({
  key,
  label: '',
  kind: 'CHAR',
  relation: '',
  options: '',
  required: false,
  help: '',
});

export const isLink = (kind: FieldKind): boolean => kind === 'MANY2ONE' || kind === 'MANY2MANY';

/** Maximum length of a generated technical name. */
const MAX_NAME_LENGTH = 50;

/** Generates a unique technical name from a label, such as `x_number_plate`. */
export function toTechnicalName(label: string, usedNames: ReadonlySet<string> = new Set()): string {
  const plainName = label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/_+$/, '');
  const name = `x_${plainName || 'own'}`;
  for (let index = 2; ; index++) {
    const candidate = index === 2 ? name : `${name}_${index - 1}`;
    if (!usedNames.has(candidate)) return candidate;
  }
}

export const parseOptions = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** Omits drafts without a label. */
export function toFieldInputs(
  drafts: FieldDraft[],
  existingNames: Iterable<string>,
): IrModelFieldsListNewInput[] {
  const usedNames = new Set(existingNames);
  return drafts.flatMap(({ label, kind, relation, options, required, help }) => {
    if (!label.trim()) return [];
    const name = toTechnicalName(label, usedNames);
    usedNames.add(name);
    return {
      name,
      fieldDescription: label.trim(),
      type: kind,
      required,
      help: help.trim() || undefined,
      relation: isLink(kind) ? relation : undefined,
      selections: kind === 'SELECTION' ? { create: toSelectionInputs(parseOptions(options)) } : undefined,
    };
  });
}

function toSelectionInputs(names: string[]) {
  const usedNames = new Set<string>();
  return names.map((name, sequence) => {
    const value = toTechnicalName(name, usedNames);
    usedNames.add(value);
    return { value: value.slice(2), name, sequence };
  });
}
