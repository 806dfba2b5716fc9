import { getReadableModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import { getModule, isCustomName } from '../model/modules.ts';
import { getRootField, type Operation, operations } from '../operation/operation.ts';
import { canCall } from '../operation/policy.ts';
import { describeFields, getReadableModels } from './describe.ts';
import { buildMethodDoc, buildRootDoc, type MethodDoc, type RootDoc } from './doc-method.ts';
import { getLabelLanguage, getModelLabel } from './labels.ts';

// Content of `/doc` in the format of Odoo 19's api_doc, limited to the caller's access.

export interface DocIndex {
  modules: string[];
  models: {
    model: string;
    name: string;
    fields: Record<string, { string: string }>;
    methods: string[];
  }[];
}

/** A model's documentation. `fields` contains the `fields_get` entries, plus the module that declares each field. */
export interface DocModel {
  model: string;
  name: string;
  doc: null;
  fields: Record<string, Record<string, unknown>>;
  methods: Record<string, MethodDoc & { graphql?: RootDoc }>;
}

/** Lists the models and fields that the caller may read, and the methods that the caller may call, sorted by name. */
export function buildDocIndex(ctx: Ctx): DocIndex {
  const everyModelOperations = Object.entries(listOperations(ctx, '*'));
  const listGeneralMethods = (model: Model) =>
    Object.fromEntries(
      everyModelOperations.filter(([, operation]) => isOperationAvailable(model, operation)),
    );
  const readable = getReadableModels(ctx).sort((a, b) => (a.name < b.name ? -1 : 1));
  const models = readable.map((model) => ({
    model: model.name,
    name: getModelLabel(model, getLabelLanguage(ctx)),
    fields: sortByName(describeFields(ctx, model.name, null, ['string'])) as Record<
      string,
      { string: string }
    >,
    methods: Object.keys(sortByName({ ...listGeneralMethods(model), ...listOperations(ctx, model.name) })),
  }));
  return { modules: sortModules(readable), models };
}

/**
 * Describes a model with everything that a client needs to call its methods.
 * @param withRoots adds the root field of each method
 * @throws NOT_FOUND_MODEL, ACCESS_ERROR if the caller may not read the model
 */
export function buildDocModel(ctx: Ctx, name: string, withRoots: boolean): DocModel {
  const model = getReadableModel(ctx, name);
  const fields = Object.entries(describeFields(ctx, name, null, null)).map(([field, info]) => [
    field,
    { ...info, module: isCustomName(field) ? null : model.module },
  ]);
  const methods = Object.entries(sortByName({ ...listOperations(ctx, '*'), ...listOperations(ctx, name) }))
    .filter(([, operation]) => isOperationAvailable(model, operation))
    .map(([method, operation]) => [method, describeMethod(ctx, operation, model.module, withRoots)]);
  return {
    model: name,
    name: getModelLabel(model, getLabelLanguage(ctx)),
    doc: null,
    fields: Object.fromEntries(fields),
    methods: Object.fromEntries(methods),
  };
}

/** Some operations, for example on threads and activities, need a field that not every model has. */
const isOperationAvailable = (model: Model, { needs }: Operation): boolean =>
  !needs || model.fields.has(needs);

function describeMethod(ctx: Ctx, operation: Operation, module: string | null, withRoot: boolean) {
  const root = getRootField(ctx.runtime.schema, operation);
  return {
    ...buildMethodDoc(operation, root, module),
    ...(withRoot && { graphql: buildRootDoc(operation, root) }),
  };
}

/**
 * Lists the operations of `model` that the caller may call, by method. `*` selects the operations that every model has.
 */
function listOperations(ctx: Ctx, model: string): Record<string, Operation> {
  const callable = [...operations.values()].filter(
    (operation) => operation.model === model && canCall(ctx, operation.policy),
  );
  return Object.fromEntries(callable.map((operation) => [operation.method!, operation]));
}

/**
 * Sorts the models' modules so that each follows the modules that its many2one fields reference, unless they form a
 * cycle. `base` always comes first.
 */
export function sortModules(models: Pick<Model, 'name' | 'fields'>[]): string[] {
  const needs = findModuleDependencies(models);
  const order: string[] = [];
  const visited = new Set<string>();
  const visit = (module: string): void => {
    if (visited.has(module) || !needs.has(module)) return;
    visited.add(module);
    for (const required of [...needs.get(module)!].sort()) visit(required);
    order.push(module);
  };
  for (const module of ['base', ...[...needs.keys()].sort()]) visit(module);
  return order;
}

function findModuleDependencies(models: Pick<Model, 'name' | 'fields'>[]): Map<string, Set<string>> {
  const needs = new Map([['base', new Set<string>()]]);
  for (const { name, fields } of models) {
    const module = getModule(name);
    if (!module || module === 'base') continue;
    const required = needs.get(module) ?? new Set();
    for (const { type, relation } of fields.values()) {
      if (type === 'many2one' && relation) required.add(getModule(relation) ?? module);
    }
    needs.set(module, required);
  }
  return needs;
}

const sortByName = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
