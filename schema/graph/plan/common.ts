import { limits } from '../../../src/limits.ts';
import type { ArgumentDef, FieldDef, TypeDef } from './definition.ts';

const defineType = (kind: TypeDef['kind'], name: string, about: string, fields: FieldDef[]): TypeDef => ({
  kind,
  name,
  about,
  fields: () => fields,
});

const defineField = (name: string, type: string, about: string): FieldDef => ({ name, type, about });
const defineValue = (name: string, value: unknown, about: string): FieldDef => ({
  name,
  type: '',
  about,
  value,
});

const buildEqualityFields = (type: string): FieldDef[] => [
  defineField('eq', type, 'Equals this value.'),
  defineField('ne', type, 'Differs from this value, or is not set.'),
  defineField('in', `[${type}!]`, 'Is one of these values.'),
  defineField('notIn', `[${type}!]`, 'Is not one of these values, or is not set.'),
];

const presence = defineField('isNull', 'Boolean', 'True: is not set. False: is set.');

const buildRangeFields = (type: string): FieldDef[] => [
  defineField('lt', type, 'Is less than this value.'),
  defineField('lte', type, 'Is at most this value.'),
  defineField('gt', type, 'Is greater than this value.'),
  defineField('gte', type, 'Is at least this value.'),
  defineField('between', `[${type}!]`, 'Is between two values: `[minimum, maximum]`, both inclusive.'),
];

const age = defineField(
  'last',
  'String',
  'Is within this ISO 8601 duration before the current time, such as `P7D` or `PT12H`.',
);

export const defineEnumFilter = (name: string): TypeDef =>
  defineType('input', `${name}Filter`, 'Conditions on the value; all of them must hold.', [
    ...buildEqualityFields(name),
    presence,
  ]);

export const COMMON_TYPES: readonly TypeDef[] = [
  defineType('object', 'PageInfo', 'Position of a page in its list.', [
    defineField('hasNextPage', 'Boolean!', 'True if more records follow the page.'),
    defineField('hasPreviousPage', 'Boolean!', 'True if more records precede the page.'),
    defineField('startCursor', 'String', 'Cursor of the first record; null on an empty page.'),
    defineField('endCursor', 'String', 'Cursor of the last record; null on an empty page.'),
  ]),
  defineType('object', 'RecordFile', 'A file in a field of a record.', [
    defineField('size', 'Int!', 'Number of bytes.'),
    defineField('mimetype', 'String!', 'Media type, such as `image/png`, detected from the content.'),
    defineField(
      'url',
      'String!',
      'Path on this server that returns the content, for a session or key that can read the record. Changes with ' +
        'the content. Add `width` and `height` to resize an image.',
    ),
  ]),
  defineType('enum', 'Direction', 'Direction of a sort order.', [
    defineValue('ASC', 'asc', 'Smallest first.'),
    defineValue('DESC', 'desc', 'Greatest first.'),
  ]),
  defineType('enum', 'Nulls', 'Position of records without a value.', [
    defineValue('FIRST', 'first', 'Before all others.'),
    defineValue('LAST', 'last', 'After all others.'),
  ]),
  defineType('input', 'IDFilter', 'Conditions on an id; all of them must hold.', [
    ...buildEqualityFields('ID'),
    presence,
  ]),
  defineType(
    'input',
    'IntFilter',
    'Conditions on a whole number; all of them must hold. Unset counts as 0.',
    [...buildEqualityFields('Int'), ...buildRangeFields('Int')],
  ),
  defineType('input', 'FloatFilter', 'Conditions on a number; all of them must hold. Unset counts as 0.', [
    ...buildEqualityFields('Float'),
    ...buildRangeFields('Float'),
  ]),
  defineType(
    'input',
    'BooleanFilter',
    'Conditions on a flag; all of them must hold. Unset counts as false.',
    [
      defineField('eq', 'Boolean', 'Equals this value.'),
      defineField('ne', 'Boolean', 'Differs from this value.'),
    ],
  ),
  defineType(
    'input',
    'StringFilter',
    'Conditions on a string; all of them must hold. An empty string counts as not set.',
    [
      ...buildEqualityFields('String'),
      defineField('contains', 'String', 'Contains this string.'),
      defineField('startsWith', 'String', 'Starts with this string.'),
      defineField('endsWith', 'String', 'Ends with this string.'),
      defineField(
        'like',
        'String',
        'Matches this pattern: `%` stands for any characters, `_` for one character.',
      ),
      ...buildRangeFields('String').slice(0, 4),
      presence,
      defineField(
        'ignoreCase',
        'Boolean',
        'Ignore case in all of these conditions except `lt`, `lte`, `gt` and `gte`.',
      ),
      defineField(
        'ignoreAccents',
        'Boolean',
        'Ignore accents in the same conditions, so that `verre` also finds `verré`.',
      ),
    ],
  ),
  defineType('input', 'StringListFilter', 'Conditions on a list of strings; all of them must hold.', [
    defineField('has', 'String', 'Contains this string.'),
    defineField('hasSome', '[String!]', 'Contains at least one of these strings.'),
    defineField('isEmpty', 'Boolean', 'True: is empty. False: contains at least one string.'),
  ]),
  defineType('input', 'JSONFilter', 'Conditions on a JSON value.', [
    defineField(
      'contains',
      'JSON',
      'Is an object that contains all keys of this object, with the same values.',
    ),
    presence,
  ]),
  defineType('input', 'RecordFileFilter', 'Conditions on a file in a field of a record.', [presence]),
  defineType('input', 'DateFilter', 'Conditions on a date; all of them must hold.', [
    ...buildEqualityFields('Date'),
    ...buildRangeFields('Date'),
    presence,
    age,
  ]),
  defineType(
    'input',
    'DateTimeFilter',
    'Conditions on a time; all of them must hold. Times are compared by the second.',
    [...buildEqualityFields('DateTime'), ...buildRangeFields('DateTime'), presence, age],
  ),
];

const defineArgument = (name: string, type: string, about: string, standard?: unknown): ArgumentDef => ({
  name,
  type,
  about,
  ...(standard !== undefined && { default: standard }),
});

const { page, pageDefault } = limits.graphql;

export const listArguments = (type: string): ArgumentDef[] => [
  defineArgument(
    'first',
    'Int',
    `Number of records from the start of the list, at most ${page}. Defaults to ${pageDefault} without \`last\`.`,
  ),
  defineArgument('after', 'String', 'Only records that come after this cursor.'),
  defineArgument('last', 'Int', `Number of records from the end of the list, at most ${page}.`),
  defineArgument('before', 'String', 'Only records that come before this cursor.'),
  defineArgument('offset', 'Int', 'Number of records to skip. Cannot be combined with a cursor or `last`.'),
  defineArgument('where', `${type}Where`, 'Conditions that the records must meet.'),
  defineArgument('orderBy', `[${type}Order!]`, 'Sort order. Defaults to the sort order of the model.'),
  defineArgument('withArchived', 'Boolean', 'Include archived records.', false),
];

export const DOMAIN_ARGUMENT: ArgumentDef = defineArgument(
  'domain',
  'JSON',
  'Filter as a domain expression, such as `[["name", "ilike", "a"]]`.',
);
