import type { Field } from '../../../src/engine/model/field.ts';
import { isList } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef } from './definition.ts';
import { shownFields } from './names.ts';
import { conditionFields, fieldsOnce, recordFields } from './records.ts';

// What names in a document stand for. A model with fields of a workspace is an object of its own, so the maps are kept
// by model.

const outputs = new WeakMap<Model, Map<string, FieldDef>>();
const conditions = new WeakMap<Model, Map<string, { field: Field; isRelation: boolean }>>();

/** The fields of a record's type, by name. */
export function outputFields(registry: Registry, model: Model): Map<string, FieldDef> {
  let fields = outputs.get(model);
  if (!fields) {
    const all = fieldsOnce(shownFields(model).flatMap((field) => recordFields(registry, model, field)));
    fields = new Map(all.map((def) => [def.name, def]));
    outputs.set(model, fields);
  }
  return fields;
}

/** The conditions of a model's `where`, by name. */
export function conditionMap(registry: Registry, model: Model) {
  let map = conditions.get(model);
  if (!map) {
    const all = fieldsOnce(shownFields(model).flatMap((field) => conditionFields(registry, model, field)));
    map = new Map(
      all.map((def) => [
        def.name,
        { field: def.field!, isRelation: isList(def.field!) || def.type.endsWith('Where') },
      ]),
    );
    conditions.set(model, map);
  }
  return map;
}
