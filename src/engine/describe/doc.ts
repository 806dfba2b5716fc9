import { assertModelAccess } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import { getModule, isCustomName } from '../model/modules.ts';
import { canCall } from '../verb/policy.ts';
import { getRootField, type Verb, verbs } from '../verb/verb.ts';
import { describeFields, listModels } from './describe.ts';
import { buildMethodDoc, buildRootDoc, type MethodDoc, type RootDoc } from './doc-method.ts';
import { getLabelLanguage, getModelLabel } from './labels.ts';

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
export function buildDocIndex(ctx: Ctx): DocIndex {
  const all = Object.entries(verbsOf(ctx, '*'));
  const general = (model: Model) => Object.fromEntries(all.filter(([, verb]) => isAvailableFor(model, verb)));
  const models = listModels(ctx, null, Number.MAX_SAFE_INTEGER).map(({ model, name }) => ({
    model,
    name,
    fields: sortByName(describeFields(ctx, model, null, ['string'])) as Record<string, { string: string }>,
    methods: Object.keys(sortByName({ ...general(getModel(ctx, model)), ...verbsOf(ctx, model) })),
  }));
  return { modules: sortModules(models.map(({ model }) => getModel(ctx, model))), models };
}

/**
 * One model with all a client has to know to call its methods. `withRoots` adds the root field of each method.
 * @throws NOT_FOUND_MODEL; ACCESS_ERROR when the caller may not read the model
 */
export function buildDocModel(ctx: Ctx, name: string, withRoots: boolean): DocModel {
  const model = getModel(ctx, name);
  assertModelAccess(ctx, model, 'read');
  const fields = Object.entries(describeFields(ctx, name, null, null)).map(([field, info]) => [
    field,
    { ...info, module: isCustomName(field) ? null : model.module },
  ]);
  const methods = Object.entries(sortByName({ ...verbsOf(ctx, '*'), ...verbsOf(ctx, name) }))
    .filter(([, verb]) => isAvailableFor(model, verb))
    .map(([method, verb]) => [method, describeMethod(ctx, verb, model.module, withRoots)]);
  return {
    model: name,
    name: getModelLabel(model, getLabelLanguage(ctx)),
    doc: null,
    fields: Object.fromEntries(fields),
    methods: Object.fromEntries(methods),
  };
}

/** Threads and activities are not for every model. */
const isAvailableFor = (model: Model, { needs }: Verb): boolean => !needs || model.fields.has(needs);

function describeMethod(ctx: Ctx, verb: Verb, module: string | null, withRoot: boolean) {
  const root = getRootField(ctx.runtime.schema, verb);
  return { ...buildMethodDoc(verb, root, module), ...(withRoot && { graphql: buildRootDoc(verb, root) }) };
}

/** The verbs at addresses of `model` that the caller may call, by method; `*` for those of every model. */
function verbsOf(ctx: Ctx, model: string): Record<string, Verb> {
  const mine = [...verbs.values()].filter((verb) => verb.model === model && canCall(ctx, verb.policy));
  return Object.fromEntries(mine.map((verb) => [verb.method!, verb]));
}

/**
 * The modules of `models`, each after those that its many2one fields lead to, as far as no circle forbids it. `base`
 * comes first, whatever it leads to. Pure.
 */
export function sortModules(models: Pick<Model, 'name' | 'fields'>[]): string[] {
  const needs = findModuleDependencies(models);
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

function findModuleDependencies(models: Pick<Model, 'name' | 'fields'>[]): Map<string, Set<string>> {
  const needs = new Map([['base', new Set<string>()]]);
  for (const { name, fields } of models) {
    const module = getModule(name);
    if (!module || module === 'base') continue;
    const needed = needs.get(module) ?? new Set();
    for (const { type, relation } of fields.values()) {
      if (type === 'many2one' && relation) needed.add(getModule(relation) ?? module);
    }
    needs.set(module, needed);
  }
  return needs;
}

const sortByName = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
