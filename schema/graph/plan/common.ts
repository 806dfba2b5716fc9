import { limits } from '../../../src/limits.ts';
import type { ArgumentDef, FieldDef, TypeDef } from './definition.ts';

// Types that all models share.

const def = (kind: TypeDef['kind'], name: string, about: string, fields: FieldDef[]): TypeDef => ({
  kind,
  name,
  about,
  fields: () => fields,
});

const field = (name: string, type: string, about: string): FieldDef => ({ name, type, about });
const value = (name: string, stands: unknown, about: string): FieldDef => ({
  name,
  type: '',
  about,
  value: stands,
});

const equality = (type: string): FieldDef[] => [
  field('eq', type, 'Equals this value.'),
  field('ne', type, 'Differs from this value, or is not set.'),
  field('in', `[${type}!]`, 'Is one of these values.'),
  field('notIn', `[${type}!]`, 'Is none of these values, or is not set.'),
];

const presence = field('isNull', 'Boolean', 'True: is not set. False: is set.');

const range = (type: string): FieldDef[] => [
  field('lt', type, 'Is less than this value.'),
  field('lte', type, 'Is at most this value.'),
  field('gt', type, 'Is greater than this value.'),
  field('gte', type, 'Is at least this value.'),
  field('between', `[${type}!]`, 'Lies between the first and the second of two values, both included.'),
];

const age = field(
  'last',
  'String',
  'Lies in the time that ends now and is as long as this ISO 8601 duration, such as `P7D` or `PT12H`.',
);

/** Conditions that the values of an enum can meet. */
export const enumFilter = (name: string): TypeDef =>
  def('input', `${name}Filter`, 'Conditions on the value; all of them must hold.', [
    ...equality(name),
    presence,
  ]);

export const COMMON: readonly TypeDef[] = [
  def('object', 'PageInfo', 'Where a page of a list begins and ends.', [
    field('hasNextPage', 'Boolean!', 'Whether records follow the page.'),
    field('hasPreviousPage', 'Boolean!', 'Whether records precede the page.'),
    field('startCursor', 'String', 'Cursor of the first record; null on an empty page.'),
    field('endCursor', 'String', 'Cursor of the last record; null on an empty page.'),
  ]),
  def('object', 'RecordFile', 'A file in a field of a record.', [
    field('size', 'Int!', 'Number of bytes.'),
    field('mimetype', 'String!', 'Media type, such as `image/png`, found by how the content begins.'),
    field(
      'url',
      'String!',
      'Path of this server that answers the content to who may read the record, with a session or a key; another ' +
        'one when the content changes. Pictures fit into `width` and `height` where these are added to it.',
    ),
  ]),
  def('enum', 'Direction', 'Direction of a sort order.', [
    value('ASC', 'asc', 'Smallest first.'),
    value('DESC', 'desc', 'Greatest first.'),
  ]),
  def('enum', 'Nulls', 'Where records without a value are sorted.', [
    value('FIRST', 'first', 'Before all others.'),
    value('LAST', 'last', 'After all others.'),
  ]),
  def('input', 'IDFilter', 'Conditions on an id; all of them must hold.', [...equality('ID'), presence]),
  def('input', 'IntFilter', 'Conditions on a whole number; all of them must hold. Unset counts as 0.', [
    ...equality('Int'),
    ...range('Int'),
  ]),
  def('input', 'FloatFilter', 'Conditions on a number; all of them must hold. Unset counts as 0.', [
    ...equality('Float'),
    ...range('Float'),
  ]),
  def('input', 'BooleanFilter', 'Conditions on a flag; all of them must hold. Unset counts as false.', [
    field('eq', 'Boolean', 'Equals this value.'),
    field('ne', 'Boolean', 'Differs from this value.'),
  ]),
  def('input', 'StringFilter', 'Conditions on a text; all of them must hold. An empty text is not set.', [
    ...equality('String'),
    field('contains', 'String', 'Contains this text.'),
    field('startsWith', 'String', 'Starts with this text.'),
    field('endsWith', 'String', 'Ends with this text.'),
    field('like', 'String', 'Matches this pattern: `%` stands for any text, `_` for one character.'),
    ...range('String').slice(0, 4),
    presence,
    field('ignoreCase', 'Boolean', 'Ignore case in `eq`, `contains`, `startsWith`, `endsWith` and `like`.'),
  ]),
  def('input', 'StringListFilter', 'Conditions on a list of texts; all of them must hold.', [
    field('has', 'String', 'Has this text.'),
    field('hasSome', '[String!]', 'Has at least one of these texts.'),
    field('isEmpty', 'Boolean', 'True: has no text. False: has at least one.'),
  ]),
  def('input', 'JSONFilter', 'Conditions on content of any shape.', [
    field('contains', 'JSON', 'Is an object that has all names of this one, with the same values.'),
    presence,
  ]),
  def('input', 'RecordFileFilter', 'Conditions on a file in a field of a record.', [presence]),
  def('input', 'DateFilter', 'Conditions on a date; all of them must hold.', [
    ...equality('Date'),
    ...range('Date'),
    presence,
    age,
  ]),
  def(
    'input',
    'DateTimeFilter',
    'Conditions on a time; all of them must hold. Times are compared by the second.',
    [...equality('DateTime'), ...range('DateTime'), presence, age],
  ),
];

const argument = (name: string, type: string, about: string, standard?: unknown): ArgumentDef => ({
  name,
  type,
  about,
  ...(standard !== undefined && { default: standard }),
});

const { page, pageDefault } = limits.graphql;

/** Arguments of every list of records. */
export const listArguments = (type: string): ArgumentDef[] => [
  argument(
    'first',
    'Int',
    `Number of records from the start of the list, at most ${page}; ${pageDefault} without \`first\` and \`last\`.`,
  ),
  argument('after', 'String', 'Only records that come after this cursor.'),
  argument('last', 'Int', `Number of records from the end of the list, at most ${page}.`),
  argument('before', 'String', 'Only records that come before this cursor.'),
  argument('offset', 'Int', 'Number of records to skip; not together with a cursor or `last`.'),
  argument('where', `${type}Where`, 'Conditions that the records must meet.'),
  argument('orderBy', `[${type}Order!]`, "Sort order; by default the model's own."),
  argument('withArchived', 'Boolean', 'Include archived records.', false),
];

/** A second way to say which records are meant. */
export const domainArgument: ArgumentDef = argument(
  'domain',
  'JSON',
  'Conditions in the form of a domain of the record API, such as `[["name", "ilike", "a"]]`.',
);
