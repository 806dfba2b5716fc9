import type { Facet } from '../address.ts';
import { addDays, toDayString } from '../calendar/days.ts';
import { type RecordValues, toEnumName } from '../document.ts';
import {
  type FieldDescription,
  findField,
  getFieldKey,
  isMessagingField,
  isSystemField,
  type ModelDescription,
} from '../model.ts';
import { formatFieldValue } from '../value.tsx';

export const PERIODS = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
export type DatePeriodName = (typeof PERIODS)[number];

/** What the rows or columns of a pivot are: the values of a field, or the periods of a date. */
export interface Dimension {
  /** As the address has it. */
  key: string;
  field: FieldDescription;
  by: DatePeriodName | null;
}

/** One of its values. */
export interface DimensionValue {
  /** The same for the same value. */
  id: string;
  /** Empty where records have none. */
  label: string;
  /** Conditions that exactly its records meet. */
  facets: Facet[];
}

const GROUPABLE_TYPES = new Set<FieldDescription['type']>([
  'MANY2ONE',
  'SELECTION',
  'BOOLEAN',
  'DATE',
  'DATETIME',
  'MANY2MANY',
  'CHAR',
]);

const isDate = ({ type }: FieldDescription): boolean => type === 'DATE' || type === 'DATETIME';

/** Fields that a pivot can be made of: those of which the list can show exactly the records of a value. Pure. */
export const getDimensionFields = ({ fields }: ModelDescription): FieldDescription[] =>
  fields.filter(
    (field) =>
      field.groupable &&
      field.searchable &&
      field.stored &&
      GROUPABLE_TYPES.has(field.type) &&
      field.name !== 'display_name' &&
      getFieldKey(field) !== null &&
      !isMessagingField(field),
  );

/** A dimension as the address has it; null where it means nothing. Pure. */
export function parseDimension(model: ModelDescription, key: string | undefined): Dimension | null {
  if (!key) return null;
  const [name, period] = key.split('.');
  const field = findField(model, name!);
  if (!field || !getDimensionFields(model).includes(field)) return null;
  if (!isDate(field)) return { key: name!, field, by: null };
  const by = PERIODS.find((each) => each === period) ?? 'MONTH';
  return { key: `${name}.${by}`, field, by };
}

/** What rows are made of best, the best first. */
const ROW_PREFERENCES: ((field: FieldDescription) => boolean)[] = [
  ({ name }) => name === 'stage_id' || name === 'state',
  ({ name, type }) => type === 'SELECTION' && /(^|_)(state|status|type|kind)$/.test(name),
  ({ type }) => type === 'SELECTION',
  ({ type, readonly }) => type === 'MANY2ONE' && !readonly,
  ({ type }) => type === 'MANY2ONE',
  (field) => !isDate(field) && field.type !== 'CHAR',
  isDate,
  () => true,
];

/** The rows that a pivot begins with: who wrote records and when is what comes last. Pure. */
export function getDefaultRows(model: ModelDescription): string[] {
  const fields = getDimensionFields(model);
  const own = fields.filter((field) => !isSystemField(field));
  const usual = ROW_PREFERENCES.map((isUsual) => own.find(isUsual)).find((field) => field !== undefined);
  const first = usual ?? fields[0];
  return first ? [getFieldKey(first)!] : [];
}

/** How an input names it. Pure. */
export const toGroupInput = ({ field, by }: Dimension): object =>
  by ? { field: toEnumName(field), by } : { field: toEnumName(field) };

/** What a document asks of the key of a group. Pure. */
export function buildKeySelection({ field, by }: Dimension, alias: string): string {
  const key = getFieldKey(field)!;
  if (by) return `${alias}: ${key}(by: ${by}) { from to label }`;
  return field.relationName ? `${alias}: ${key} { id displayName }` : `${alias}: ${key}`;
}

interface Period {
  from: string;
  to: string;
  label: string;
}

/** The value that a group has. Pure. */
export function toDimensionValue(
  model: ModelDescription,
  { field, by }: Dimension,
  value: unknown,
): DimensionValue {
  const key = getFieldKey(field)!;
  if (value === null || value === undefined || value === '')
    return { id: '', label: '', facets: [[key, 'empty', '']] };
  if (by) {
    const { from, to, label } = value as Period;
    const [first, last] =
      field.type === 'DATE' ? [from, addDays(to, -1)] : [toDayString(new Date(from)), getLastDay(to)];
    return {
      id: from,
      label,
      facets: [
        [key, 'gte', first],
        [key, 'lte', last],
      ],
    };
  }
  const label = field.list
    ? String((value as { displayName: string }).displayName)
    : formatFieldValue(model, field, { [key]: value } as unknown as RecordValues);
  const id = typeof value === 'object' ? (value as { id: string }).id : String(value);
  return { id, label, facets: [[key, 'eq', id, label]] };
}

const getLastDay = (to: string): string => toDayString(new Date(Date.parse(to) - 1));
