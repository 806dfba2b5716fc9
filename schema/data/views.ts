import { getReadableModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { describeFields } from '../../src/engine/describe/describe.ts';
import { getLabelLanguage, getModelLabel } from '../../src/engine/describe/labels.ts';
import { isListField } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { errors } from '../../src/errors.ts';
import { escapeHtml } from '../../src/escape-html.ts';

// View requests from Odoo 19's web clients. No views are stored, so each request returns the default view of its type.

const reads: Policy = { auth: ['USER'], scope: 'read' };

export const recordGetViews = defineOperation('recordGetViews', {
  effects: ['reads'],
  address: '*/get_views',
  policy: reads,
  description: 'Returns generated views of the given types, and their fields in the format of `fields_get`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    views: arg({
      type: 'JSON',
      required: true,
      description: 'Views as `[id, type]` pairs. The ids must be false, because no views are stored.',
    }),
    options: arg({ type: 'JSON', description: 'Has no effect.' }),
  }),
  run: (ctx, { model: name, views }) => {
    const model = getReadableModel(ctx, name);
    const types = parseViewTypes(views);
    const builtViews = types.map((type) => [type, buildView(ctx, model, type)] as const);
    const names = [...new Set(builtViews.flatMap(([, view]) => view.fields))];
    return {
      views: Object.fromEntries(
        builtViews.map(([type, { arch }]) => [type, { arch, id: false, model: name }]),
      ),
      models: { [name]: { fields: describeFields(ctx, name, names, FIELD_ATTRIBUTES) } },
    };
  },
});

export const recordGetView = defineOperation('recordGetView', {
  effects: ['reads'],
  address: '*/get_view',
  policy: reads,
  description: 'Returns a generated view of the given type.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    viewId: arg.recordId({ description: 'Must be omitted, because no views are stored.' }),
    viewType: arg.string({
      defaultValue: 'form',
      description: 'Type of the view, such as `list` or `form`.',
    }),
  }),
  run: (ctx, { model: name, viewId: id, viewType }) => {
    if (id) throw errors.missing('ir.ui.view', [id]);
    const { arch, fields } = buildView(ctx, getReadableModel(ctx, name), viewType ?? 'form');
    return { arch, id: false, model: name, models: { [name]: fields } };
  },
});

/** Field attributes in view descriptions (Odoo 19). */
const FIELD_ATTRIBUTES =
  `aggregator change_default context currency_field definition_record definition_record_field digits
  domain groupable groups help name readonly related relation relation_field required searchable selection size sortable
  store string translate trim type`.split(/\s+/);

/** @throws BAD_VALUE unless `views` is a list of pairs, MISSING if a view is requested by id */
function parseViewTypes(views: unknown): string[] {
  if (!Array.isArray(views) || views.length > Object.keys(VIEW_BUILDERS).length)
    throw errors.wrongArgument('views', 'must be pairs of an id and a type');
  return views.map((pair) => {
    if (!Array.isArray(pair) || typeof pair[1] !== 'string')
      throw errors.wrongArgument('views', 'must be pairs of an id and a type');
    if (typeof pair[0] === 'number') throw errors.missing('ir.ui.view', [pair[0]]);
    return pair[1];
  });
}

interface ViewDefinition {
  arch: string;
  fields: string[];
}

/** Default views by type. `displayName` is the name field, and `all` lists the fields of a form. */
const VIEW_BUILDERS: Record<string, (label: string, displayName: string, all: string[]) => string> = {
  list: (label, displayName) => `<list string="${label}">${buildFieldTag(displayName)}</list>`,
  form: (label, _named, all) =>
    `<form string="${label}"><sheet><group>${all.map(buildFieldTag).join('')}</group></sheet></form>`,
  search: (label, displayName) => `<search string="${label}">${buildFieldTag(displayName)}</search>`,
  kanban: (_label, displayName) =>
    `<kanban><templates><t t-name="card">${buildFieldTag(displayName)}</t></templates></kanban>`,
  graph: (label, displayName) => `<graph string="${label}">${buildFieldTag(displayName)}</graph>`,
  pivot: (label) => `<pivot string="${label}"/>`,
  activity: (label, displayName) =>
    `<activity string="${label}"><templates>` +
    `<div t-name="activity-box">${buildFieldTag(displayName)}</div></templates></activity>`,
};

const buildFieldTag = (name: string): string => `<field name="${name}"/>`;

function buildView(ctx: Ctx, model: Model, type: string): ViewDefinition {
  const write = Object.hasOwn(VIEW_BUILDERS, type) ? VIEW_BUILDERS[type]! : null;
  if (!write) throw errors.user(`Unknown view type '${type.slice(0, 40)}' for ${model.name}.`);
  const displayName = model.display ?? 'display_name';
  const all = Object.keys(describeFields(ctx, model.name, null, [])).filter((name) =>
    isFormField(model, name),
  );
  const arch = write(escapeHtml(getModelLabel(model, getLabelLanguage(ctx))), displayName, all);
  return { arch, fields: type === 'form' ? all : type === 'pivot' ? [] : [displayName] };
}

const LOG_FIELDS = new Set([
  'id',
  'display_name',
  'create_uid',
  'create_date',
  'write_uid',
  'write_date',
  'parent_path',
]);

/** Forms contain neither files nor lists. */
function isFormField({ fields }: Model, name: string): boolean {
  const field = fields.get(name)!;
  return !LOG_FIELDS.has(name) && !field.secret && field.type !== 'binary' && !isListField(field);
}
