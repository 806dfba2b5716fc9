import type { Field } from '../../../src/engine/model/field.ts';
import {
  isDateField,
  isFractionField,
  isListField,
  isReturnedByDefault,
} from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { hasCurrency } from '../../../src/engine/read/group-spec.ts';
import { limits } from '../../../src/limits.ts';
import { describeField, describeRelation } from '../descriptions.ts';
import { DOMAIN_ARGUMENT, listArguments } from './common.ts';
import type { ArgumentDef, FieldDef, TypeDef } from './definition.ts';
import { findRelatedModel, getFieldName, getGraphFields, getRelationName, getTypeName } from './names.ts';
import { buildFieldConstants, findUniqueFields } from './records.ts';
import { getKeyField, getValueType } from './values.ts';

/** Maximum number of groups per request whose records are listed. */
export const MAX_LISTED_GROUPS = 100;

/** The engine's date granularities, by GraphQL name. */
const PERIODS: readonly [string, string][] = [
  ['HOUR', 'One group per hour.'],
  ['DAY', 'One group per day.'],
  ['WEEK', 'One group per week.'],
  ['MONTH', 'One group per month.'],
  ['QUARTER', 'One group per quarter.'],
  ['YEAR', 'One group per year.'],
  ['YEAR_NUMBER', 'Number of the year.'],
  ['QUARTER_NUMBER', 'Number of the quarter, across all years.'],
  ['MONTH_NUMBER', 'Number of the month, across all years.'],
  ['ISO_WEEK_NUMBER', 'Number of the ISO week, across all years.'],
  ['DAY_OF_YEAR', 'Number of the day in the year.'],
  ['DAY_OF_MONTH', 'Number of the day in the month.'],
  ['DAY_OF_WEEK', 'Number of the day in the week; 0 is Sunday.'],
  ['HOUR_NUMBER', 'Hour of the day.'],
  ['MINUTE_NUMBER', 'Minute of the hour.'],
  ['SECOND_NUMBER', 'Second of the minute.'],
];

const AGGREGATES: readonly [string, string][] = [
  ['COUNT', 'Number of records. Takes no field.'],
  ['SUM', 'Sum of the values.'],
  ['SUM_CURRENCY', 'Sum of amounts, converted to the currency of your company at today’s rates.'],
  ['AVG', 'Mean of the values.'],
  ['MIN', 'Smallest value.'],
  ['MAX', 'Greatest value.'],
];

const defineEnumType = (name: string, about: string, values: readonly [string, string][]): TypeDef => ({
  kind: 'enum',
  name,
  about,
  fields: () =>
    values.map(([item, text]) => ({ name: item, type: '', about: text, value: item.toLowerCase() })),
});

const defineObject = (name: string, about: string, fields: [string, string, string][]): TypeDef => ({
  kind: 'object',
  name,
  about,
  fields: () => fields.map(([item, type, text]) => ({ name: item, type, about: text })),
});

const buildExtremeFields = (type: string): [string, string, string][] => [
  ['min', type, 'Smallest value; null if there are no values.'],
  ['max', type, 'Greatest value; null if there are no values.'],
];

const numberFields: [string, string, string][] = [
  ['sum', 'Float', 'Sum of the values.'],
  ['avg', 'Float', 'Mean of the values; null if there are no values.'],
  ...buildExtremeFields('Float'),
];

const buildPeriodFields = (type: string): [string, string, string][] => [
  ['from', type, 'Start of the period. Null if records are grouped by a number, such as `MONTH_NUMBER`.'],
  ['to', type, 'End of the period (exclusive). Null if records are grouped by a number.'],
  ['label', 'String!', 'Label of the period, such as `September 2026`.'],
  ['number', 'Int', 'The number, if records are grouped by a number.'],
];

export const COMMON_GROUP_TYPES: readonly TypeDef[] = [
  defineEnumType('Period', 'Period, or part of a date or time, to group by.', PERIODS),
  defineEnumType('Aggregate', 'Aggregate function to compute for each group.', AGGREGATES),
  defineObject('DatePeriod', 'Period or number that the dates of a group share.', buildPeriodFields('Date')),
  defineObject(
    'DateTimePeriod',
    'Period or number that the times of a group share.',
    buildPeriodFields('DateTime'),
  ),
  defineObject('NumberAggregates', 'Aggregates of numbers.', numberFields),
  defineObject('AmountAggregates', 'Aggregates of amounts, which may have different currencies.', [
    ...numberFields,
    ['sumCurrency', 'Float', 'Sum, converted to the currency of your company at today’s rates.'],
  ]),
  defineObject('DateAggregates', 'Aggregates of dates.', buildExtremeFields('Date')),
  defineObject('DateTimeAggregates', 'Aggregates of times.', buildExtremeFields('DateTime')),
];

const UNGROUPABLE_TYPES: ReadonlySet<string> = new Set([
  'one2many',
  'json',
  'binary',
  'strings',
  'properties',
  'properties_definition',
]);

const isGroupable = (model: Model, field: Field): boolean =>
  isReturnedByDefault(field) &&
  !UNGROUPABLE_TYPES.has(field.type) &&
  (field.type !== 'many2many' || field.join !== undefined) &&
  // Models with a public id do not expose the numeric one.
  (field.name !== 'id' || getKeyField(model) === 'id');

function buildKeyFields(registry: Registry, model: Model): FieldDef[] {
  const fields = getGraphFields(model).filter((field) => isGroupable(model, field));
  return findUniqueFields(fields.flatMap((field) => buildKeyField(registry, model, field)));
}

function buildKeyField(registry: Registry, model: Model, field: Field): FieldDef[] {
  const target = findRelatedModel(registry, field);
  const name = field.name === getKeyField(model) ? 'id' : getFieldName(model, field);
  if (isDateField(field)) {
    const type = field.type === 'date' ? 'DatePeriod' : 'DateTimePeriod';
    const by = {
      name: 'by',
      type: 'Period',
      about: 'Period to return, if the groups use several periods of the field.',
    };
    return [{ name, type, about: describeField(field), args: [by], role: 'groupDate', field }];
  }
  const fields: FieldDef[] = [];
  if (!isListField(field) && !(target && getKeyField(target) !== 'id'))
    fields.push({
      name,
      type: getValueType(model, field),
      about: describeField(field),
      role: 'column',
      field,
    });
  if (target)
    fields.push({
      name: getRelationName(model, field),
      type: getTypeName(target),
      about: describeRelation(field),
      role: 'one',
      field,
    });
  return fields;
}

function getAggregateType(model: Model, field: Field): string | undefined {
  if (field.name === 'id' || !isReturnedByDefault(field)) return undefined;
  if (hasCurrency(field, model)) return 'AmountAggregates';
  if (field.type === 'integer' || isFractionField(field)) return 'NumberAggregates';
  if (field.type === 'date') return 'DateAggregates';
  return field.type === 'datetime' ? 'DateTimeAggregates' : undefined;
}

/** Names of the group type's other fields. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['key', 'count', 'domain', 'records']);

/** A field with a reserved name gets the suffix `Values`. */
export function buildAggregateFields(model: Model): FieldDef[] {
  return findUniqueFields(
    getGraphFields(model).flatMap((field) => {
      const type = getAggregateType(model, field);
      if (!type) return [];
      const name = getFieldName(model, field);
      return {
        name: RESERVED_NAMES.has(name) ? `${name}Values` : name,
        type: `${type}!`,
        about: describeField(field),
        field,
      };
    }),
  );
}

export function buildGroupTypes(model: Model): TypeDef[] {
  const type = getTypeName(model);
  return [
    {
      kind: 'object',
      name: `${type}Group`,
      about: `\`${type}\` records that have the same key.`,
      fields: (registry) => [
        { name: 'key', type: `${type}GroupKey!`, about: 'Values that the records share.' },
        { name: 'count', type: 'Int!', about: 'Number of records.' },
        {
          name: 'domain',
          type: 'JSON!',
          about: 'Conditions that match exactly these records, for the argument `domain`.',
        },
        {
          name: 'records',
          type: `${type}Connection!`,
          about: `The records, for at most ${MAX_LISTED_GROUPS} groups in one request.`,
          args: [...listArguments(type), DOMAIN_ARGUMENT],
          role: 'groupRecords',
          model: model.name,
        },
        ...buildAggregateFields(registry.get(model.name)!),
      ],
    },
    {
      kind: 'object',
      name: `${type}GroupKey`,
      about:
        'Values that all records of a group share. Null if they have no value, or the groups do not use this field.',
      fields: (registry) => buildKeyFields(registry, registry.get(model.name)!),
    },
    {
      kind: 'enum',
      name: `${type}GroupField`,
      about: `Fields available for grouping and aggregating \`${type}\` records.`,
      fields: (registry) =>
        buildFieldConstants(registry, registry.get(model.name)!, (field) => isGroupable(model, field)),
    },
    ...buildGroupInputs(type),
  ];
}

const buildGroupInputs = (type: string): TypeDef[] => [
  defineInput(`${type}GroupBy`, 'A field to group by, with the period for dates and times.', [
    { name: 'field', type: `${type}GroupField!`, about: 'Field to group by.' },
    {
      name: 'by',
      type: 'Period',
      about: 'Period, or part of a date or time. Required for date and time fields.',
    },
  ]),
  defineInput(`${type}GroupOrder`, 'One term of the sort order of groups.', [
    {
      name: 'field',
      type: `${type}GroupField`,
      about: 'A field that the groups use, or, if `aggregate` is set, the field to aggregate.',
    },
    {
      name: 'by',
      type: 'Period',
      about: 'Period to sort by, if the groups use several periods of the field.',
    },
    { name: 'aggregate', type: 'Aggregate', about: 'Sort by this aggregate instead of the key.' },
    { name: 'direction', type: 'Direction', about: 'Direction; ascending by default.' },
    { name: 'nulls', type: 'Nulls', about: 'Position of groups without a value.' },
  ]),
  defineInput(`${type}GroupHaving`, 'A condition on an aggregate. An aggregate of no values counts as 0.', [
    {
      name: 'field',
      type: `${type}GroupField`,
      about: 'Field to aggregate. Not used with `COUNT`.',
    },
    { name: 'aggregate', type: 'Aggregate!', about: 'Aggregate to compare.' },
    { name: 'value', type: 'FloatFilter!', about: 'Condition on the aggregate.' },
  ]),
];

const defineInput = (name: string, about: string, fields: FieldDef[]): TypeDef => ({
  kind: 'input',
  name,
  about,
  fields: () => fields,
});

export function buildGroupRoot(model: Model): FieldDef {
  const { type, one } = getModelGraphNames(model);
  const { page, pageDefault } = limits.graphql;
  const inheritedArguments = new Set(['where', 'withArchived']);
  const args: ArgumentDef[] = [
    {
      name: 'groupBy',
      type: `[${type}GroupBy!]!`,
      about: 'Fields to group by. If empty, all records form one group.',
      default: [],
    },
    ...listArguments(type).filter(({ name }) => inheritedArguments.has(name)),
    DOMAIN_ARGUMENT,
    {
      name: 'having',
      type: `[${type}GroupHaving!]`,
      about: 'Conditions that groups must meet; all must hold.',
    },
    {
      name: 'orderBy',
      type: `[${type}GroupOrder!]`,
      about: 'Order of the groups. By default they are sorted by their keys.',
    },
    {
      name: 'first',
      type: 'Int',
      about: `Number of groups to return, at most ${page}. Defaults to ${pageDefault}.`,
    },
    { name: 'offset', type: 'Int', about: 'Number of groups to skip.' },
  ];
  return {
    name: `${one}Groups`,
    type: `[${type}Group!]!`,
    about: `Groups \`${type}\` records. Only the selected aggregates are computed.`,
    args,
    role: 'readGroups',
    model: model.name,
  };
}
