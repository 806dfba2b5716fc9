import { createField, type Field, type FieldType, type OnDelete } from './field.ts';
import { addMixins } from './mixins.ts';
import type { Model, Registry } from './model.ts';
import { addDisplayName } from './registry.ts';
import { isFieldIntact } from './remove-modules.ts';
import { getRole } from './roles.ts';

// Models and fields that a workspace has added at run time (ir.model and ir.model.fields with the state `manual`).

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
  /** Who may see it; everybody without any. */
  groups?: string[];
}

/** The registry of a workspace: the product's own when it has added nothing. */
export function addCustomModels(registry: Registry, models: CustomModel[], fields: CustomField[]): Registry {
  if (models.length === 0 && fields.length === 0) return registry;
  const result: Registry = new Map(registry);
  for (const model of models) result.set(model.model, buildCustomModel(model));
  for (const field of fields) addCustomField(result, registry, field);
  dropDanglingFields(result, fields);
  for (const { model: name } of models) completeModel(result.get(name)!);
  return result;
}

function buildCustomModel({ id, model, name, order, mixins }: CustomModel): Model {
  return {
    name: model,
    prisma: 'IrRecord',
    table: 'ir_record',
    label: name,
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
  ];
};

/** While an app is being removed, fields that lead to its models are still rows: the registry has none of them. */
function dropDanglingFields(result: Registry, fields: CustomField[]): void {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { model: name, name: field } of fields) {
      const model = result.get(name);
      const own = model?.fields.get(field);
      if (own?.custom && !isFieldIntact(own, model!, result)) isDone = !model!.fields.delete(field);
    }
  }
}

/** A model of the product is copied before it takes a field: others share it. */
function addCustomField(result: Registry, registry: Registry, raw: CustomField): void {
  let model = result.get(raw.model);
  if (!model) return;
  if (model === registry.get(raw.model)) {
    model = { ...model, fields: new Map(model.fields) };
    result.set(raw.model, model);
  }
  model.fields.set(raw.name, applyRelatedGroups(buildCustomField(raw), model, result));
}

/** What follows another field is for those who may see that one as well, and as secret. */
function applyRelatedGroups(field: Field, model: Model, registry: Registry): Field {
  if (!field.related) return field;
  const via = model.fields.get(field.related[0]!);
  const far = registry.get(via?.relation ?? '')?.fields.get(field.related[1]!);
  if (!via || !far) return field;
  const groups = intersectGroups([far.groups, via.groups, field.groups].filter((each) => each.length > 0));
  const masked = field.masked || far.masked || via.masked;
  const { kept, asText } = far;
  return { ...field, groups, masked, secret: far.secret || via.secret, kept, asText };
}

/** A group without members. */
const EMPTY_GROUP = '';

/** Those that are in every list; the empty group when there are lists and none is. */
function intersectGroups([first, ...others]: string[][]): string[] {
  if (!first) return [];
  const common = first.filter((group) => others.every((list) => list.includes(group)));
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
    // No file is looked for by its content.
    custom: { id: raw.id, indexed: raw.index && type !== 'binary' },
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
    Object.assign(field, { loose: true, onDelete: (raw.on_delete ?? 'set null') as OnDelete });
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

/** What depends on which fields there are. */
function completeModel(model: Model): void {
  addMixins(model);
  const name = ['x_name', 'name'].find((each) => model.fields.has(each));
  model.display = name ?? null;
  model.searchNames = name ? [name] : [];
  const active = model.fields.get('x_active');
  if (active?.type === 'boolean') model.active = active;
  addDisplayName(model);
}
