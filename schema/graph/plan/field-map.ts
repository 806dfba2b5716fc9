import type { Field } from '../../../src/engine/model/field.ts';
import { isListField } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef } from './definition.ts';
import { getGraphFields } from './names.ts';
import { buildConditionFields, buildRecordFields, findUniqueFields } from './records.ts';

// Maps names in a document to fields. Cached by model, because a model with custom fields is a separate object.

const outputs = new WeakMap<Model, Map<string, FieldDef>>();
const conditions = new WeakMap<Model, Map<string, { field: Field; isRelation: boolean }>>();

export function getOutputFields(registry: Registry, model: Model): Map<string, FieldDef> {
  let fields = outputs.get(model);
  if (!fields) {
    const all = findUniqueFields(
      getGraphFields(model).flatMap((field) => buildRecordFields(registry, model, field)),
    );
    fields = new Map(all.map((def) => [def.name, def]));
    outputs.set(model, fields);
  }
  return fields;
}

export function getConditionMap(registry: Registry, model: Model) {
  let map = conditions.get(model);
  if (!map) {
    const all = findUniqueFields(
      getGraphFields(model).flatMap((field) => buildConditionFields(registry, model, field)),
    );
    map = new Map(
      all.map((def) => [
        def.name,
        { field: def.field!, isRelation: isListField(def.field!) || def.type.endsWith('Where') },
      ]),
    );
    conditions.set(model, map);
  }
  return map;
}
