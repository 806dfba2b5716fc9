import { checkModel } from '../access/access.ts';
import { modelOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import { isCustomName, moduleOf } from '../model/modules.ts';
import { mayCall } from '../verb/policy.ts';
import { rootField, type Verb, verbs } from '../verb/verb.ts';
import { fieldsGet, listModels } from './describe.ts';
import { type MethodDoc, methodDoc, type RootDoc, rootDoc } from './doc-method.ts';
import { labelLanguageOf, modelLabel } from './labels.ts';

// Content of `/doc`: the shapes of Odoo 19's api_doc, limited to what the caller may access.

/** Every model in reach, with the labels of its fields and the names of its methods. */
export interface DocIndex {
  modules: string[];
  models: {
    model: string;
    name: string;
    fields: Record<string, { string: string }>;
    methods: string[];
  }[];
}

/** One model: `fields` are entries of fields_get with the module that declares them. */
export interface DocModel {
  model: string;
  name: string;
  doc: null;
  fields: Record<string, Record<string, unknown>>;
  methods: Record<string, MethodDoc & { graphql?: RootDoc }>;
}

/** The index of what the caller may read and call; models, fields and methods by name. */
export function docIndex(ctx: Ctx): DocIndex {
  const all = Object.entries(verbsOf(ctx, '*'));
  const general = (model: Model) => Object.fromEntries(all.filter(([, verb]) => has(model, verb)));
  const models = listModels(ctx, null, Number.MAX_SAFE_INTEGER).map(({ model, name }) => ({
    model,
    name,
    fields: byName(fieldsGet(ctx, model, null, ['string'])) as Record<string, { string: string }>,
    methods: Object.keys(byName({ ...general(modelOf(ctx, model)), ...verbsOf(ctx, model) })),
  }));
  return { modules: modulesOf(models.map(({ model }) => modelOf(ctx, model))), models };
}

/**
 * One model with all a client has to know to call its methods. `withRoots` adds the root field of each method.
 * @throws NOT_FOUND_MODEL; ACCESS_ERROR when the caller may not read the model
 */
export function docModel(ctx: Ctx, name: string, withRoots: boolean): DocModel {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  const fields = Object.entries(fieldsGet(ctx, name, null, null)).map(([field, info]) => [
    field,
    { ...info, module: isCustomName(field) ? null : model.module },
  ]);
  const methods = Object.entries(byName({ ...verbsOf(ctx, '*'), ...verbsOf(ctx, name) }))
    .filter(([, verb]) => has(model, verb))
    .map(([method, verb]) => [method, describedMethod(ctx, verb, model.module, withRoots)]);
  return {
    model: name,
    name: modelLabel(model, labelLanguageOf(ctx)),
    doc: null,
    fields: Object.fromEntries(fields),
    methods: Object.fromEntries(methods),
  };
}

/** Threads and activities are not for every model. */
const has = (model: Model, { needs }: Verb): boolean => !needs || model.fields.has(needs);

function describedMethod(ctx: Ctx, verb: Verb, module: string | null, withRoot: boolean) {
  const root = rootField(ctx.runtime.schema, verb);
  return { ...methodDoc(verb, root, module), ...(withRoot && { graphql: rootDoc(verb, root) }) };
}

/** The verbs at addresses of `model` that the caller may call, by method; `*` for those of every model. */
function verbsOf(ctx: Ctx, model: string): Record<string, Verb> {
  const mine = [...verbs.values()].filter((verb) => verb.model === model && mayCall(ctx, verb.policy));
  return Object.fromEntries(mine.map((verb) => [verb.method!, verb]));
}

/**
 * The modules of `models`, each after those that its many2one fields lead to, as far as no circle forbids it. `base`
 * comes first, whatever it leads to. Pure.
 */
export function modulesOf(models: Pick<Model, 'name' | 'fields'>[]): string[] {
  const needs = needsOf(models);
  const order: string[] = [];
  const begun = new Set<string>();
  const place = (module: string): void => {
    if (begun.has(module) || !needs.has(module)) return;
    begun.add(module);
    for (const needed of [...needs.get(module)!].sort()) place(needed);
    order.push(module);
  };
  for (const module of ['base', ...[...needs.keys()].sort()]) place(module);
  return order;
}

function needsOf(models: Pick<Model, 'name' | 'fields'>[]): Map<string, Set<string>> {
  const needs = new Map([['base', new Set<string>()]]);
  for (const { name, fields } of models) {
    const module = moduleOf(name);
    if (!module || module === 'base') continue;
    const needed = needs.get(module) ?? new Set();
    for (const { type, relation } of fields.values()) {
      if (type === 'many2one' && relation) needed.add(moduleOf(relation) ?? module);
    }
    needs.set(module, needed);
  }
  return needs;
}

const byName = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
