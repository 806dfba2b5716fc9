import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { POSTGRES_DATE_PARTS } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import { isDateField, isFractionField, isNumberField, isTextField } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { getRole } from '../model/roles.ts';

/** Periods for grouping dates (Odoo 19). Dates can also be grouped by date parts. */
export type Period = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
export const PERIODS = new Set<string>(['hour', 'day', 'week', 'month', 'quarter', 'year']);

/** A grouping by a field at the end of a many2one path, with a period or part for dates. */
export interface Grouping {
  spec: string;
  /** Fields of the path. All except the last one are many2ones. */
  path: { model: Model; field: Field }[];
  field: Field;
  granularity: string | null;
  /** True for a property, which may refer to any model. */
  isProperty: boolean;
}

/** An aggregate over a group's records. `field` is null for the number of records, `__count`. */
export interface Aggregate {
  spec: string;
  field: Field | null;
  operation: string;
}

const LIST_OPERATIONS: ReadonlySet<string> = new Set(['array_agg', 'array_agg_distinct', 'recordset']);

/** Returns true if the aggregate is a list, which can be neither sorted nor compared. */
export const isListAggregate = ({ operation }: Aggregate): boolean => LIST_OPERATIONS.has(operation);

export const isTextAggregate = ({ field, operation }: Aggregate): boolean =>
  field !== null && isTextField(field) && !COUNT_OPERATIONS.has(operation);

/** Maximum characters of a string in groups and aggregates. Longer strings with the same beginning form one group. */
export const GROUP_TEXT_CHARS = 200;

export const isLongText = ({ type }: Field): boolean => type === 'char' || type === 'text' || type === 'html';

const COUNT_OPERATIONS: ReadonlySet<string> = new Set(['count', 'count_distinct']);

/** Returns true if the aggregate is a number. The minimum and maximum of strings and timestamps are not numbers. */
export const isNumberAggregate = ({ field, operation }: Aggregate): boolean =>
  !LIST_OPERATIONS.has(operation) &&
  !LOGICAL_OPERATIONS.has(operation) &&
  (field === null || COUNT_OPERATIONS.has(operation) || isNumberField(field) || isLinkField(field));

const VALUE_OPERATIONS: ReadonlySet<string> = new Set(['sum', 'sum_currency', 'avg', 'min', 'max']);

export const isFractionAggregate = ({ field, operation }: Aggregate): boolean =>
  field !== null &&
  VALUE_OPERATIONS.has(operation) &&
  (isFractionField(field) || (operation === 'avg' && isNumberField(field)));

const isLinkField = ({ type }: Field): boolean => type === 'many2one' || type === 'many2one_reference';

/**
 * Parses `field`, `field:month`, `m2o.field` or `properties.name`.
 * @param properties fields by path, such as `properties.name`; other properties are invalid
 * @throws BAD_VALUE
 */
export function parseGrouping(
  text: unknown,
  model: Model,
  registry: Registry,
  properties: ReadonlyMap<string, Field> = new Map(),
): Grouping {
  const { 0: spec, 1: name, 2: granularity = null } = matchSpec(GROUPING_FORM, text);
  const property = properties.get(name!);
  const path = property ? [{ model, field: property }] : resolvePath(name!, model, registry);
  const { field } = path.at(-1)!;
  const grouping = { spec, path, field, granularity, isProperty: property !== undefined };
  assertGroupable(grouping);
  return grouping;
}

interface SpecForm {
  label: string;
  pattern: RegExp;
  advice: string;
}

const GROUPING_FORM: SpecForm = {
  label: 'groupby',
  pattern: /^([\w.]+)(?::(\w+))?$/,
  advice: 'Write it as field or field:period, such as stage_id or create_date:month.',
};

const AGGREGATE_FORM: SpecForm = {
  label: 'aggregate',
  pattern: /^(\w+):(\w+)$/,
  advice: 'Write it as field:function, such as amount_total:sum.',
};

function matchSpec({ label, pattern, advice }: SpecForm, spec: unknown): RegExpExecArray {
  const match = typeof spec === 'string' ? pattern.exec(spec) : null;
  if (!match) throw errors.badValue(`Invalid ${label} ${JSON.stringify(spec)?.slice(0, 80)}`, { advice });
  return match;
}

function resolvePath(text: string, model: Model, registry: Registry): Grouping['path'] {
  const names = text.split('.');
  if (names.length > limits.record.pathSteps)
    throw errors.badValue(`A group-by path may have at most ${limits.record.pathSteps} steps`);
  const path: Grouping['path'] = [];
  let currentModel: Model | undefined = model;
  for (const name of names) {
    const last = path.at(-1);
    if (last && !currentModel)
      throw errors.badValue(
        `A group-by path can only contain many2one fields before the last field: '${last.field.name}' of ` +
          `'${last.model.name}' has the type ${last.field.type}`,
      );
    const field: Field | undefined = currentModel?.fields.get(name);
    if (!field || field.secret)
      throw errors.unknownField(name.slice(0, 80), currentModel?.name ?? model.name, 'on');
    path.push({ model: currentModel!, field });
    currentModel = field.type === 'many2one' ? registry.get(field.relation!) : undefined;
  }
  return path;
}

const PROPERTY_TYPES = ['properties', 'properties_definition'];
const UNGROUPABLE_TYPES = new Set(['one2many', 'json', 'binary', 'strings'].concat(PROPERTY_TYPES));

function assertGroupable({ spec, path, field, granularity, isProperty }: Grouping): void {
  if (UNGROUPABLE_TYPES.has(field.type) || (field.type === 'many2many' && path.length > 1))
    throw errors.badValue(`The field '${spec}' cannot be used for grouping`);
  if (!isDateField(field)) {
    if (granularity) throw errors.badValue(`Granularity set on a field that is not a date(time): '${spec}'`);
    return;
  }
  // Conditions on properties do not support date parts, so a group could not have a domain.
  const granularities = isProperty ? [...PERIODS] : [...PERIODS, ...Object.keys(POSTGRES_DATE_PARTS)];
  if (granularity === null)
    throw errors.badValue(`Granularity not set on a date(time) field: '${spec}'`, {
      advice: `Add one, such as ${spec}:month. They are ${granularities.join(', ')}.`,
    });
  if (!granularities.includes(granularity))
    throw errors.badValue(
      `Granularity specification isn't correct: '${granularity.slice(0, 40)}'. Use ${granularities.join(', ')}.`,
    );
}

const NUMERIC_OPERATIONS = new Set(['sum', 'avg']);
const LOGICAL_OPERATIONS = new Set(['bool_and', 'bool_or']);
const UNTYPED_OPERATIONS = new Set([
  'count',
  'count_distinct',
  'array_agg',
  'array_agg_distinct',
  'recordset',
]);

/**
 * Parses `field:sum` or `__count`.
 * @throws BAD_VALUE
 */
export function parseAggregate(value: unknown, model: Model): Aggregate {
  if (value === '__count') return { spec: value, field: null, operation: 'count' };
  const [spec, name, operation] = matchSpec(AGGREGATE_FORM, value);
  const field = model.fields.get(name!);
  if (!field || field.secret) throw errors.unknownField(name!.slice(0, 80), model.name, 'on');
  if (operation === 'sum_currency' ? !hasCurrency(field, model) : !isOperationValid(field, operation!))
    throw errors.badValue(
      `Invalid aggregate '${spec.slice(0, 80)}': ${operation} does not support this ${field.type} field. ` +
        `${suggestOperations(field, model)}`,
    );
  return { spec, field, operation: operation! };
}

const SUGGESTED_AGGREGATES = [
  'sum',
  'sum_currency',
  'avg',
  'min',
  'max',
  'count',
  'count_distinct',
  'bool_and',
  'bool_or',
];

function suggestOperations(field: Field, model: Model): string {
  const valid = SUGGESTED_AGGREGATES.filter((item) =>
    item === 'sum_currency' ? hasCurrency(field, model) : isOperationValid(field, item),
  );
  return valid.length > 0 ? `Use ${valid.join(', ')}.` : 'Such a field cannot be aggregated.';
}

/** Returns true if the field's amounts have a currency that is stored in the same record. */
export const hasCurrency = (field: Field, model: Model): boolean =>
  field.type === 'monetary' && model.fields.get(field.currency ?? '')?.relation === getRole('currency');

function isOperationValid(field: Field, operation: string): boolean {
  if (field.type.endsWith('2many') || field.type === 'json' || field.type === 'binary') return false;
  if (PROPERTY_TYPES.includes(field.type)) return false;
  if (NUMERIC_OPERATIONS.has(operation)) return isNumberField(field);
  if (LOGICAL_OPERATIONS.has(operation)) return field.type === 'boolean';
  if (operation === 'min' || operation === 'max') return field.type !== 'boolean' && field.type !== 'strings';
  return UNTYPED_OPERATIONS.has(operation);
}
