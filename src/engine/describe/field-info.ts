import { type Field, isList, isStored } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { roleOf } from '../model/roles.ts';
import { isTranslated } from '../model/translated.ts';
import { type FieldTexts, fieldTexts, type LabelLanguage } from './labels.ts';

/** One field in the format of `fields_get`: attributes in alphabetical order, without empty ones. */
export type FieldInfo = Record<string, unknown>;

/**
 * What classic RPC says of a field (attributes and types of Odoo 19), with its texts in a language. That the caller
 * lacks a right on the model changes nothing.
 */
export function fieldInfo(
  registry: Registry,
  model: Model,
  field: Field,
  language: LabelLanguage,
): FieldInfo {
  const texts = fieldTexts(model, field, language);
  const all: FieldInfo = {
    ...base(model, field, texts),
    ...relationInfo(registry, field),
    ...TYPES[field.type]?.(model, field),
    ...(SELECTED.has(field.type) && { selection: texts.selection }),
    ...numberInfo(field),
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function base(model: Model, field: Field, { label, help }: FieldTexts): FieldInfo {
  const hasColumn = isStored(field);
  const isScalar =
    field.name !== 'display_name' && !isList(field) && !UNORDERED.has(field.type) && !field.secret;
  return {
    name: field.name,
    type: field.type === 'strings' ? 'json' : field.type,
    string: label,
    help: help || undefined,
    store: hasColumn || isList(field),
    manual: field.custom !== undefined,
    readonly: field.readonly || (!hasColumn && !isList(field) && !isTaken(model, field)),
    required: isRequired(field),
    groups: field.groups.length ? field.groups.join(',') : undefined,
    related: field.related?.join('.'),
    searchable: !field.secret,
    sortable: isScalar,
    groupable: isScalar || (field.type === 'many2many' && !field.secret),
    exportable: !field.secret,
    change_default: false,
    company_dependent: field.ofCompanies ?? false,
    default_export_compatible: false,
    depends: dependsOn(model, field),
  };
}

/** Whether hooks write the value elsewhere. */
const isTaken = ({ options }: Model, field: Field): boolean =>
  field.inherited === true || options.accepts?.includes(field.name) === true;

const UNORDERED: ReadonlySet<string> = new Set(['json', 'strings', 'binary', 'properties_definition']);

/** Whether a new record must be given the field: not when its column starts with something. */
export const isRequired = (field: Field): boolean =>
  field.required && !field.hasDefault && field.name !== 'id' && field.type !== 'boolean';

function dependsOn(model: Model, field: Field): string[] {
  if (field.name === 'display_name') return model.display ? [model.display] : [];
  if (field.definition) return [field.definition[0]];
  return field.related ? [field.related.join('.')] : [];
}

function relationInfo(registry: Registry, field: Field): FieldInfo {
  if (!field.relation) return {};
  return {
    relation: field.relation,
    relation_field: field.inverse ?? field.thread?.id,
    context: {},
    domain: field.activeOnly ? [['active', '=', true]] : [],
    // Sic: the name clients know.
    allow_hierachy_operators: registry.get(field.relation)?.fields.has('parent_id') ?? false,
  };
}

const SELECTED: ReadonlySet<string> = new Set(['selection', 'reference']);

const translation = (model: Model, field: Field): FieldInfo => ({ translate: isTranslated(model, field) });

const TYPES: Partial<Record<Field['type'], (model: Model, field: Field) => FieldInfo>> = {
  char: (model, field) => ({ ...translation(model, field), size: field.size, trim: true }),
  text: translation,
  html: (model, field) => ({
    ...translation(model, field),
    sanitize: true,
    sanitize_attributes: true,
    sanitize_style: false,
    sanitize_tags: true,
    strip_classes: false,
    strip_style: false,
  }),
  float: (_, field) => ({ digits: field.digits }),
  monetary: (model, field) => ({ currency_field: field.currency ?? currencyOf(model) }),
  // The content of a file is its record; any other lies beside its record, as clients see it.
  binary: (model) => ({ attachment: model.name !== roleOf('attachment') }),
  many2one_reference: (_, field) => ({ model_field: field.modelField }),
  properties: (_, field) => ({
    definition_record: field.definition?.[0],
    definition_record_field: field.definition?.[1],
  }),
};

const currencyOf = (model: Model): string | undefined =>
  [...model.fields.values()].find((field) => field.relation === roleOf('currency'))?.name;

const SUMMED: ReadonlySet<string> = new Set(['integer', 'float', 'monetary']);
const NO_QUANTITY = new Set(['id', 'sequence', 'res_id']);

/** How a group adds the field up. */
function numberInfo(field: Field): FieldInfo {
  const isSummed = SUMMED.has(field.type) && isStored(field) && !NO_QUANTITY.has(field.name);
  const aggregator = field.aggregator ?? (isSummed ? 'sum' : undefined);
  return { aggregator: aggregator === 'none' ? undefined : aggregator };
}
