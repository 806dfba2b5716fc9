import type { Facet } from '../address.ts';
import { dayOf, daysLater } from '../calendar/days.ts';
import { enumNameOf, type RecordValues } from '../document.ts';
import { type Described, type DescribedField, fieldNamed, isKept, isOfMessages, keyOf } from '../model.ts';
import { textOf } from '../value.tsx';

export const PERIODS = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
export type DatePeriodName = (typeof PERIODS)[number];

/** What the rows or columns of a pivot are: the values of a field, or the periods of a date. */
export interface Dimension {
  /** As the address has it. */
  key: string;
  field: DescribedField;
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

const GROUPED = new Set<DescribedField['type']>([
  'MANY2ONE',
  'SELECTION',
  'BOOLEAN',
  'DATE',
  'DATETIME',
  'MANY2MANY',
  'CHAR',
]);

const isDate = ({ type }: DescribedField): boolean => type === 'DATE' || type === 'DATETIME';

/** Fields that a pivot can be made of: those of which the list can show exactly the records of a value. Pure. */
export const dimensionFields = ({ fields }: Described): DescribedField[] =>
  fields.filter(
    (field) =>
      field.groupable &&
      field.searchable &&
      field.stored &&
      GROUPED.has(field.type) &&
      field.name !== 'display_name' &&
      keyOf(field) !== null &&
      !isOfMessages(field),
  );

/** A dimension as the address has it; null where it means nothing. Pure. */
export function dimensionOf(model: Described, key: string | undefined): Dimension | null {
  if (!key) return null;
  const [name, period] = key.split('.');
  const field = fieldNamed(model, name!);
  if (!field || !dimensionFields(model).includes(field)) return null;
  if (!isDate(field)) return { key: name!, field, by: null };
  const by = PERIODS.find((each) => each === period) ?? 'MONTH';
  return { key: `${name}.${by}`, field, by };
}

/** What rows are made of best, the best first. */
const USUAL: ((field: DescribedField) => boolean)[] = [
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
export function usualRows(model: Described): string[] {
  const fields = dimensionFields(model);
  const own = fields.filter((field) => !isKept(field));
  const usual = USUAL.map((isUsual) => own.find(isUsual)).find((field) => field !== undefined);
  const first = usual ?? fields[0];
  return first ? [keyOf(first)!] : [];
}

/** How an input names it. Pure. */
export const groupInput = ({ field, by }: Dimension): object =>
  by ? { field: enumNameOf(field), by } : { field: enumNameOf(field) };

/** What a document asks of the key of a group. Pure. */
export function keySelection({ field, by }: Dimension, alias: string): string {
  const key = keyOf(field)!;
  if (by) return `${alias}: ${key}(by: ${by}) { from to label }`;
  return field.relationName ? `${alias}: ${key} { id displayName }` : `${alias}: ${key}`;
}

interface Period {
  from: string;
  to: string;
  label: string;
}

/** The value that a group has. Pure. */
export function dimensionValue(model: Described, { field, by }: Dimension, value: unknown): DimensionValue {
  const key = keyOf(field)!;
  if (value === null || value === undefined || value === '')
    return { id: '', label: '', facets: [[key, 'empty', '']] };
  if (by) {
    const { from, to, label } = value as Period;
    const [first, last] =
      field.type === 'DATE' ? [from, daysLater(to, -1)] : [dayOf(new Date(from)), lastDay(to)];
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
    : textOf(model, field, { [key]: value } as unknown as RecordValues);
  const id = typeof value === 'object' ? (value as { id: string }).id : String(value);
  return { id, label, facets: [[key, 'eq', id, label]] };
}

const lastDay = (to: string): string => dayOf(new Date(Date.parse(to) - 1));
