import { type Described, type DescribedField, keyOf } from '../model.ts';

/** What the cells of a pivot hold: how many records, or the sum or average of a field. */
export interface Figure {
  /** As the address has it. */
  key: string;
  field: DescribedField | null;
  how: 'count' | 'sum' | 'avg';
}

const NUMBERS = new Set<DescribedField['type']>(['INTEGER', 'FLOAT', 'MONETARY']);
/** Numbers that say nothing when they are added up. */
const NOT_ADDED = new Set(['id', 'color', 'sequence', 'res_id']);

export const COUNT: Figure = { key: 'count', field: null, how: 'count' };

/** Every figure that a model has. Pure. */
export const figuresOf = ({ fields }: Described): Figure[] => [
  COUNT,
  ...fields
    .filter(
      (field) =>
        NUMBERS.has(field.type) &&
        field.stored &&
        field.aggregator !== null &&
        !NOT_ADDED.has(field.name) &&
        keyOf(field) !== null,
    )
    .flatMap((field): Figure[] => [
      { key: `${keyOf(field)}.sum`, field, how: 'sum' },
      { key: `${keyOf(field)}.avg`, field, how: 'avg' },
    ]),
];

/** Those of an address, or how many records there are. Pure. */
export function figuresNamed(model: Described, keys: string[] = []): Figure[] {
  const all = figuresOf(model);
  const named = keys.flatMap((key) => all.find((figure) => figure.key === key) ?? []);
  return named.length > 0 ? named : [COUNT];
}

/** What a document asks of a group. Pure. */
export const figureSelection = (figures: Figure[]): string => {
  const fields = Map.groupBy(
    figures.filter(({ field }) => field !== null),
    ({ field }) => keyOf(field!)!,
  );
  return [
    'count',
    ...[...fields].map(([key, some]) => `${key} { ${some.map(({ how }) => how).join(' ')} }`),
  ].join(' ');
};

/** What a group answered. */
export type GroupFigures = { count: number } & Record<string, unknown>;

/** Null where there is nothing to add up. Pure. */
export const figureIn = ({ field, how }: Figure, group: GroupFigures): number | null =>
  field ? ((group[keyOf(field)!] as Record<string, number | null>)[how] ?? null) : group.count;
