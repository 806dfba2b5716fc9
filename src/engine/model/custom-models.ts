import {
  createField,
  type Field,
  type FieldType,
  type OnDeleteAction,
  VERSION_FIELD,
  VERSION_TRAITS,
} from './field.ts';
import { addMixins } from './mixins.ts';
import type { Model, Registry } from './model.ts';
import { addDisplayName } from './registry.ts';
import { isFieldIntact } from './remove-modules.ts';
import { getRole } from './roles.ts';

// Models and fields that a workspace has added at run time (rows of ir.model and ir.model.fields in state `manual`).

export interface CustomModel {
  id: number;
  model: string;
  name: string;
  order: string | null;
  mixins: string[];
}

export interface CustomField {
  id: number;
  model: string;
  name: string;
  field_description: string;
  help: string | null;
  ttype: string;
  relation: string | null;
  relation_field: string | null;
  required: boolean;
  readonly: boolean;
  index: boolean;
  copied: boolean;
  translate: string | boolean | null;
  size: number | null;
  on_delete: string | null;
  related?: string | null;
  currency_field?: string | null;
  options: [string, string][] | null;
  /** Values of the options in order of creation. */
  option_values?: string[];
  groups?: string[];
}

/** Builds a workspace's registry. Returns the built-in registry if the workspace has added nothing. */
export function addCustomModels(registry: Registry, models: CustomModel[], fields: CustomField[]): Registry {
  if (models.length === 0 && fields.length === 0) return registry;
  const result: Registry = new Map(registry);
  for (const model of models) result.set(model.model, buildCustomModel(model));
  for (const field of fields) addCustomField(result, registry, field);
  dropDanglingFields(result, fields);
  for (const { model: name } of models) addDerivedProperties(result.get(name)!);
  return result;
}

function buildCustomModel({ id, model, name, order, mixins }: CustomModel): Model {
  return {
    name: model,
    prisma: 'IrRecord',
    table: 'ir_record',
    label: name,
    pluralLabel: name,
    help: '',
    module: null,
    fields: new Map(buildLogFields().map((field) => [field.name, field])),
    display: null,
    searchNames: [],
    order: order || 'id',
    active: null,
    customId: id,
    extensible: true,
    options: { group: 'data', access: {}, mixins },
  };
}

const WITH_DEFAULT = { hasDefault: true };

const buildLogFields = (): Field[] => {
  const user = { ...WITH_DEFAULT, relation: getRole('user'), loose: true, onDelete: 'set null' } as const;
  return [
    createField('id', 'integer', 'ID', { ...WITH_DEFAULT, required: true }),
    createField('create_date', 'datetime', 'Created on', WITH_DEFAULT),
    createField('create_uid', 'many2one', 'Created by', user),
    createField('write_date', 'datetime', 'Last Updated on', WITH_DEFAULT),
    createField('write_uid', 'many2one', 'Last Updated by', user),
    createField(VERSION_FIELD, 'integer', 'Row Version', {
      ...WITH_DEFAULT,
      required: true,
      ...VERSION_TRAITS,
    }),
  ];
};

/** Drops fields that refer to missing models. Such fields exist while an app is being removed. */
function dropDanglingFields(result: Registry, fields: CustomField[]): void {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { model: name, name: field } of fields) {
      const model = result.get(name);
      const fieldOfModel = model?.fields.get(field);
      if (fieldOfModel?.custom && !isFieldIntact(fieldOfModel, model!, result))
        isDone = !model!.fields.delete(field);
    }
  }
}

/** Adds a field to its model. A product model is copied first, because other workspaces share it. */
function addCustomField(result: Registry, registry: Registry, raw: CustomField): void {
  let model = result.get(raw.model);
  if (!model) return;
  if (model === registry.get(raw.model)) {
    model = { ...model, fields: new Map(model.fields) };
    result.set(raw.model, model);
  }
  model.fields.set(raw.name, restrictRelatedField(buildCustomField(raw), model, result));
}

/** Applies the groups, masking and secrecy of the link and the target to a related field. */
function restrictRelatedField(field: Field, model: Model, registry: Registry): Field {
  if (!field.related) return field;
  const linkField = model.fields.get(field.related[0]!);
  const targetField = registry.get(linkField?.relation ?? '')?.fields.get(field.related[1]!);
  if (!linkField || !targetField) return field;
  const groups = intersectGroups(
    [targetField.groups, linkField.groups, field.groups].filter((group) => group.length > 0),
  );
  const isMasked = field.masked || targetField.masked || linkField.masked;
  const { kept, asText } = targetField;
  return { ...field, groups, masked: isMasked, secret: targetField.secret || linkField.secret, kept, asText };
}

/** A group without members. */
const EMPTY_GROUP = '';

/** Intersects the lists. Returns EMPTY_GROUP if they have nothing in common, because an empty list means everyone. */
function intersectGroups([first, ...otherGroups]: string[][]): string[] {
  if (!first) return [];
  const common = first.filter((group) => otherGroups.every((list) => list.includes(group)));
  return common.length > 0 ? common : [EMPTY_GROUP];
}

function buildCustomField(raw: CustomField): Field {
  const type = raw.ttype as FieldType;
  const field = createField(raw.name, type, raw.field_description, {
    help: raw.help ?? '',
    required: raw.required,
    readonly: raw.readonly,
    copied: raw.copied && type !== 'one2many',
    groups: raw.groups ?? [],
    // Binary fields have no index, because files cannot be searched by content.
    custom: { id: raw.id, indexed: raw.index && type !== 'binary', values: raw.option_values ?? [] },
  });
  if (raw.size) field.size = raw.size;
  if (raw.translate) field.translated = true;
  if (type === 'monetary') field.currency = raw.currency_field ?? 'x_currency_id';
  if (type === 'selection') field.selection = raw.options ?? [];
  if (type === 'reference' && raw.options) field.selection = raw.options;
  if (type.endsWith('2one') || type.endsWith('2many')) field.relation = raw.relation ?? '';
  if (raw.related) {
    const [link, target] = raw.related.split('.') as [string, string];
    return { ...field, related: [link, target], readonly: true, copied: false };
  }
  if (type === 'many2one')
    Object.assign(field, { loose: true, onDelete: (raw.on_delete ?? 'set null') as OnDeleteAction });
  if (type === 'one2many') field.inverse = raw.relation_field ?? '';
  if (type === 'many2many')
    field.join = {
      table: 'ir_record_link',
      self: 'self_id',
      other: 'other_id',
      fixed: { field_id: raw.id },
    };
  return field;
}

function addDerivedProperties(model: Model): void {
  addMixins(model);
  const name = ['x_name', 'name'].find((item) => model.fields.has(item));
  model.display = name ?? null;
  model.searchNames = name ? [name] : [];
  const active = model.fields.get('x_active');
  if (active?.type === 'boolean') model.active = active;
  addDisplayName(model);
}
