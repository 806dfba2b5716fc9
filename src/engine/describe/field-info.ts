import { type Field, isListField, isStoredField } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { getRole } from '../model/roles.ts';
import { isTranslated } from '../model/translations.ts';
import { type FieldTexts, type LabelLanguage, translateFieldTexts } from './labels.ts';

/** A field in the format of `fields_get`: attributes in alphabetical order, without empty ones. */
export type FieldInfo = Record<string, unknown>;

/**
 * Describes a field as classic RPC does (attributes and types of Odoo 19), with labels in `language`. Does not depend
 * on the caller's rights.
 */
export function buildFieldInfo(
  registry: Registry,
  model: Model,
  field: Field,
  language: LabelLanguage,
): FieldInfo {
  const texts = translateFieldTexts(model, field, language);
  const all: FieldInfo = {
    ...buildBaseInfo(model, field, texts),
    ...buildRelationInfo(registry, field),
    ...TYPE_INFO[field.type]?.(model, field),
    ...(SELECTION_TYPES.has(field.type) && { selection: texts.selection }),
    ...buildNumberInfo(field),
  };
  const entries = Object.entries(all).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function buildBaseInfo(model: Model, field: Field, { label, help }: FieldTexts): FieldInfo {
  const hasColumn = isStoredField(field);
  const isScalar =
    field.name !== 'display_name' && !isListField(field) && !UNORDERED_TYPES.has(field.type) && !field.secret;
  return {
    name: field.name,
    type: field.type === 'strings' ? 'json' : field.type,
    string: label,
    help: help || undefined,
    store: hasColumn || isListField(field),
    manual: field.custom !== undefined,
    readonly: isReadonly(model, field),
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
    depends: findDependencies(model, field),
  };
}

function isReadonly({ options }: Model, field: Field): boolean {
  if (options.accepts?.includes(field.name)) return false;
  return field.readonly || (!isStoredField(field) && !isListField(field) && !field.inherited);
}

const UNORDERED_TYPES: ReadonlySet<string> = new Set(['json', 'strings', 'binary', 'properties_definition']);

export const isRequired = (field: Field): boolean =>
  field.required && !field.hasDefault && field.name !== 'id' && field.type !== 'boolean';

function findDependencies(model: Model, field: Field): string[] {
  if (field.name === 'display_name') return model.display ? [model.display] : [];
  if (field.definition) return [field.definition[0]];
  return field.related ? [field.related.join('.')] : [];
}

function buildRelationInfo(registry: Registry, field: Field): FieldInfo {
  if (!field.relation) return {};
  return {
    relation: field.relation,
    // The records of an inherited list refer to the parent record.
    relation_field: field.related ? undefined : (field.inverse ?? field.thread?.id),
    context: {},
    domain: field.activeOnly
      ? [['active', '=', true]]
      : Object.entries(field.fixed ?? {}).map(([column, value]) => [column, '=', value]),
    // The misspelling is part of Odoo's API. cspell:ignore hierachy
    allow_hierachy_operators: registry.get(field.relation)?.fields.has('parent_id') ?? false,
  };
}

const SELECTION_TYPES: ReadonlySet<string> = new Set(['selection', 'reference']);

const buildTranslationInfo = (model: Model, field: Field): FieldInfo => ({
  translate: isTranslated(model, field),
});

const TYPE_INFO: Partial<Record<Field['type'], (model: Model, field: Field) => FieldInfo>> = {
  char: (model, field) => ({ ...buildTranslationInfo(model, field), size: field.size, trim: true }),
  text: buildTranslationInfo,
  html: (model, field) => ({
    ...buildTranslationInfo(model, field),
    sanitize: true,
    sanitize_attributes: true,
    sanitize_style: false,
    sanitize_tags: true,
    strip_classes: false,
    strip_style: false,
  }),
  float: (_, field) => ({ digits: field.digits }),
  monetary: (model, field) => ({ currency_field: field.currency ?? findCurrencyField(model) }),
  // The attachment model stores its file in the record. To clients, any other binary field is an attachment.
  binary: (model) => ({ attachment: model.name !== getRole('attachment') }),
  many2one_reference: (_, field) => ({ model_field: field.modelField }),
  properties: (_, field) => ({
    definition_record: field.definition?.[0],
    definition_record_field: field.definition?.[1],
  }),
};

const findCurrencyField = (model: Model): string | undefined =>
  [...model.fields.values()].find((field) => field.relation === getRole('currency'))?.name;

const SUMMED_TYPES: ReadonlySet<string> = new Set(['integer', 'float', 'monetary']);
const UNSUMMED_FIELDS = new Set(['id', 'sequence', 'res_id']);

function buildNumberInfo(field: Field): FieldInfo {
  const isSummed = SUMMED_TYPES.has(field.type) && isStoredField(field) && !UNSUMMED_FIELDS.has(field.name);
  const aggregator = field.aggregator ?? (isSummed ? 'sum' : undefined);
  return { aggregator: aggregator === 'none' ? undefined : aggregator };
}
