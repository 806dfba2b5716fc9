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
type DatePeriodName = (typeof PERIODS)[number];

export interface Dimension {
  key: string;
  field: FieldDescription;
  by: DatePeriodName | null;
}

export interface DimensionValue {
  /** Identical for equal values. */
  id: string;
  /** Empty for records without a value. */
  label: string;
  /** Filters that match exactly the records of this value. */
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

/** Returns the fields that a pivot table can group by. The list must support filtering by their values. */
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

/** Parses a dimension from the URL. Returns null if it is invalid. */
export function parseDimension(model: ModelDescription, key: string | undefined): Dimension | null {
  if (!key) return null;
  const [name, period] = key.split('.');
  const field = findField(model, name!);
  if (!field || !getDimensionFields(model).includes(field)) return null;
  if (!isDate(field)) return { key: name!, field, by: null };
  const by = PERIODS.find((item) => item === period) ?? 'MONTH';
  return { key: `${name}.${by}`, field, by };
}

/** Preferred row fields, by priority. */
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

/** Returns the default rows. Uses the creator, the last editor and their dates only if no other field is available. */
export function getDefaultRows(model: ModelDescription): string[] {
  const fields = getDimensionFields(model);
  const candidates = fields.filter((field) => !isSystemField(field));
  const usual = ROW_PREFERENCES.map((isUsual) => candidates.find(isUsual)).find(
    (field) => field !== undefined,
  );
  const first = usual ?? fields[0];
  return first ? [getFieldKey(first)!] : [];
}

export const toGroupInput = ({ field, by }: Dimension): object =>
  by ? { field: toEnumName(field), by } : { field: toEnumName(field) };

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
