import { isListField } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef } from './definition.ts';
import { getGraphFields } from './names.ts';
import { buildConditionFields, buildRecordFields, buildRelatedTerms, findUniqueFields } from './records.ts';

// Maps names in a document to fields.

/** Caches by model, because a model with custom fields is a separate object. */
function memoizeByModel<V>(build: (registry: Registry, model: Model) => V) {
  const values = new WeakMap<Model, V>();
  return (registry: Registry, model: Model): V => {
    let value = values.get(model);
    if (value === undefined) {
      value = build(registry, model);
      values.set(model, value);
    }
    return value;
  };
}

const mapByName = (fields: FieldDef[]): Map<string, FieldDef> =>
  new Map(findUniqueFields(fields).map((def) => [def.name, def]));

export const getOutputFields = memoizeByModel((registry, model) =>
  mapByName(getGraphFields(model).flatMap((field) => buildRecordFields(registry, model, field))),
);

export const getConditionMap = memoizeByModel((registry, model) => {
  const all = mapByName(
    getGraphFields(model).flatMap((field) => buildConditionFields(registry, model, field)),
  );
  return new Map(
    [...all].map(([name, { field, type }]) => [
      name,
      { field: field!, isRelation: isListField(field!) || type.endsWith('Where') },
    ]),
  );
});

export const getRelatedTerms = memoizeByModel((registry, model) =>
  mapByName(buildRelatedTerms(registry, model)),
);
