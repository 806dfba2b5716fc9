import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef } from './definition.ts';
import { type InputKind, inputFields } from './inputs.ts';

// What the names in an input stand for. A model with fields of a workspace is an object of its own, so the maps are
// kept by model.

type InputMap = Map<string, FieldDef>;

const maps = { create: new WeakMap<Model, InputMap>(), update: new WeakMap<Model, InputMap>() };

/** The fields of a model's input, by name. */
export function inputMap(registry: Registry, model: Model, operation: InputKind): InputMap {
  let map = maps[operation].get(model);
  if (!map) {
    map = new Map(inputFields(registry, model, operation).map((def) => [def.name, def]));
    maps[operation].set(model, map);
  }
  return map;
}

/** What the inputs of a model call the field `name` of the engine; undefined where they have none of it. */
export function inputName(registry: Registry, model: Model, name: string): string | undefined {
  for (const def of inputMap(registry, model, 'create').values())
    if (def.field!.name === name) return def.name;
  return undefined;
}
