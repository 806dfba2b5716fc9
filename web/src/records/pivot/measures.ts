import { type FieldDescription, getFieldKey, isNumeric, type ModelDescription } from '../model.ts';

/** The record count, or the sum or average of a field. */
export interface Measure {
  key: string;
  field: FieldDescription | null;
  how: 'count' | 'sum' | 'avg';
}

/** Numeric fields whose sum is meaningless. */
const NON_ADDITIVE_FIELDS = new Set(['id', 'color', 'sequence', 'res_id']);

const COUNT_MEASURE: Measure = { key: 'count', field: null, how: 'count' };

export const getMeasures = ({ fields }: ModelDescription): Measure[] => [
  COUNT_MEASURE,
  ...fields
    .filter(
      (field) =>
        isNumeric(field) &&
        field.stored &&
        field.aggregator !== null &&
        !NON_ADDITIVE_FIELDS.has(field.name) &&
        getFieldKey(field) !== null,
    )
    .flatMap((field) =>
      // Fields such as percentages are only averaged.
      (field.aggregator === 'avg' ? (['avg'] as const) : (['sum', 'avg'] as const)).map(
        (how): Measure => ({
          key: `${getFieldKey(field)}.${how}`,
          field,
          how,
        }),
      ),
    ),
];

/** Returns the measures in the URL. Defaults to the record count. */
export function findMeasures(model: ModelDescription, keys: string[] = []): Measure[] {
  const all = getMeasures(model);
  const measures = keys.flatMap((key) => all.find((figure) => figure.key === key) ?? []);
  return measures.length > 0 ? measures : [COUNT_MEASURE];
}

export const buildMeasureSelection = (figures: Measure[]): string => {
  const fields = Map.groupBy(
    figures.filter(({ field }) => field !== null),
    ({ field }) => getFieldKey(field!)!,
  );
  return [
    'count',
    ...[...fields].map(([key, measures]) => `${key} { ${measures.map(({ how }) => how).join(' ')} }`),
  ].join(' ');
};

export type GroupMeasures = { count: number } & Record<string, unknown>;

/** Null if the group has no values. */
export const getMeasureValue = ({ field, how }: Measure, group: GroupMeasures): number | null =>
  field ? ((group[getFieldKey(field)!] as Record<string, number | null>)[how] ?? null) : group.count;
