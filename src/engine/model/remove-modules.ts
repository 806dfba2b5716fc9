import { createCache, memoizePerObject } from '../../cache.ts';
import { sql } from '../../db/sql.ts';
import type { Field, SqlContext } from './field.ts';
import type { Model, Registry } from './model.ts';

// Removes the models of missing modules, and their additions to other models, from a workspace's registry.

const MAX_CACHED_REGISTRIES = 64;

/** Workspaces that lack the same modules share a registry and everything derived from it, such as a schema. */
const getReducedRegistries = memoizePerObject((_registry: Registry) =>
  createCache<string, Registry>({ entries: MAX_CACHED_REGISTRIES }),
);

/** Removes the modules' models, the fields of other models that refer to them, and all fields that depend on these. */
export function removeModules(registry: Registry, modules: Iterable<string>): Registry {
  const names = [...modules].sort();
  if (names.length === 0) return registry;
  return getReducedRegistries(registry).getOrCreate(names.join(), () =>
    buildReducedRegistry(registry, new Set(names)),
  );
}

function buildReducedRegistry(registry: Registry, modules: ReadonlySet<string>): Registry {
  const result: Registry = new Map([...registry].filter(([, { module }]) => !modules.has(module ?? '')));
  if (result.size === registry.size) return registry;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [name, model] of result) {
      const removedFields = new Set(
        [...model.fields.values()].filter((field) => !isFieldIntact(field, model, result)),
      );
      if (removedFields.size === 0) continue;
      result.set(name, removeFields(model, removedFields));
      isChanged = true;
    }
  }
  for (const [name, model] of result)
    if (model.options.sharedTable) result.set(name, { ...model, lacks: findMissingNames(registry, result) });
  return result;
}

/** Returns the names of missing models and fields, as they appear in the shared rows. */
function findMissingNames(registry: Registry, ownRegistry: Registry): NonNullable<Model['lacks']> {
  const models = [...registry.keys()].filter((name) => !ownRegistry.has(name));
  const fields = [...ownRegistry].flatMap(([name, { fields: targetFields }]) =>
    [...registry.get(name)!.fields.keys()]
      .filter((field) => !targetFields.has(field))
      .map((field) => `${name}.${field}`),
  );
  return { models, fields };
}

export function isFieldIntact(field: Field, model: Model, registry: Registry): boolean {
  if (field.relation && !registry.has(field.relation)) return false;
  if (field.inverse && !registry.get(field.relation!)!.fields.has(field.inverse)) return false;
  if (field.definition && !model.fields.has(field.definition[0])) return false;
  if (field.related) {
    const targetName = model.fields.get(field.related[0])?.relation;
    if (!targetName || !registry.get(targetName)?.fields.has(field.related[1])) return false;
  }
  return !field.computed || usesOnlyKnownNames(field.computed, model, registry);
}

/** Builds the expression once to find out which tables and fields it uses. */
function usesOnlyKnownNames(
  computed: NonNullable<Field['computed']>,
  model: Model,
  registry: Registry,
): boolean {
  let isThere = true;
  const requireKnown = (isKnown: boolean) => {
    isThere &&= isKnown;
    return sql.empty;
  };
  const context: SqlContext = {
    workspace: sql.param(0),
    table: (name) => requireKnown(registry.has(name)),
    field: (name) => requireKnown(model.fields.has(name)),
    fieldOf: (name, _row, fieldName) => requireKnown(registry.get(name)?.fields.has(fieldName) === true),
    alias: () => sql.empty,
    today: () => sql.empty,
    company: () => sql.empty,
    publicUrl: () => sql.empty,
    models: () => [],
  };
  computed(sql.empty, context);
  return isThere;
}

function removeFields(model: Model, removedFields: ReadonlySet<Field>): Model {
  const fields = new Map([...model.fields].filter(([, field]) => !removedFields.has(field)));
  const order = model.order.split(',').filter((term) => fields.has(term.trim().split(/\s+/)[0]!));
  return {
    ...model,
    fields,
    searchNames: model.searchNames.filter((name) => fields.has(name)),
    order: order.join(',') || 'id',
  };
}
