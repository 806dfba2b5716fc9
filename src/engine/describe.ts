import { mayField, mayModel } from './access.ts';
import type { Ctx } from './ctx.ts';
import type { Field, Model } from './model.ts';
import { modelOf } from './records.ts';

/** One field as `fields_get` tells it. */
type FieldInfo = Record<string, unknown>;

/** Names of every field the caller may see, with what classic RPC says of them. Unknown names are left out. */
export function fieldsGet(
  ctx: Ctx,
  name: string,
  only: string[] | null,
  attributes: string[] | null,
): Record<string, FieldInfo> {
  const model = modelOf(ctx, name);
  const writable = mayModel(ctx, model, 'write');
  const result: Record<string, FieldInfo> = {};
  for (const field of model.fields.values()) {
    if (!mayField(ctx, field) || (only?.length && !only.includes(field.name))) continue;
    const info = fieldInfo(field, writable);
    result[field.name] = attributes
      ? Object.fromEntries(Object.entries(info).filter(([key]) => attributes.includes(key)))
      : info;
  }
  return result;
}

function fieldInfo(field: Field, writable: boolean): FieldInfo {
  const stored = !field.related && field.name !== 'display_name';
  const info: FieldInfo = {
    name: field.name,
    type: field.type === 'strings' ? 'json' : field.type,
    string: field.label,
    store: stored,
    manual: false,
    readonly: field.readonly || field.secret || !writable,
    required: field.required && (!field.hasDefault || field.name === 'id'),
    searchable: !field.secret && field.type !== 'json' && field.type !== 'binary',
    sortable: stored && !field.type.endsWith('2many'),
    groupable: stored && !field.type.endsWith('2many'),
    exportable: !field.secret,
    change_default: false,
    company_dependent: false,
    default_export_compatible: false,
    depends: [],
  };
  if (field.help) info.help = field.help;
  if (field.groups.length) info.groups = field.groups.join(',');
  if (field.related) info.related = field.related.join('.');
  if (field.selection) info.selection = field.selection;
  if (field.relation) Object.assign(info, { relation: field.relation, context: {}, domain: [] });
  if (field.inverse) info.relation_field = field.inverse;
  if (field.type === 'char') info.trim = true;
  return info;
}

/** Models the caller may read, by name. */
export function listModels(
  ctx: Ctx,
  filter: string | null,
  limit: number,
): { model: string; name: string }[] {
  const wanted = filter?.toLowerCase() ?? '';
  return [...ctx.runtime.registry.values()]
    .filter((model) => mayModel(ctx, model, 'read'))
    .filter((model) => model.name.includes(wanted) || model.label.toLowerCase().includes(wanted))
    .map((model) => ({ model: model.name, name: model.label }))
    .sort((a, b) => (a.model < b.model ? -1 : 1))
    .slice(0, limit);
}

export interface ModelInfo {
  model: string;
  your_access: { read: boolean; create: boolean; write: boolean; unlink: boolean };
  fields: Record<string, unknown>[];
}

/** What the caller may do with a model, and its fields. */
export function describeModel(ctx: Ctx, name: string): ModelInfo {
  const model = modelOf(ctx, name);
  const may = (operation: 'read' | 'create' | 'write' | 'unlink') => mayModel(ctx, model, operation);
  return {
    model: model.name,
    your_access: { read: may('read'), create: may('create'), write: may('write'), unlink: may('unlink') },
    fields: Object.values(fieldsGet(ctx, name, null, null)).map((info) => ({
      name: info.name,
      string: info.string,
      type: info.type,
      required: info.required,
      readonly: info.readonly,
      relation: info.relation ?? null,
      selection: info.selection ?? null,
      help: info.help ?? null,
    })),
  };
}

/** The fields of `model` whose values are floats; XML tells 1.0 from 1, JSON does not. */
export function floatFields(model: Model): Set<string> {
  return new Set(
    [...model.fields.values()].filter((f) => f.type === 'float' || f.type === 'monetary').map((f) => f.name),
  );
}
