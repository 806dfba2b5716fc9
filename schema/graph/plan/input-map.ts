import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef } from './definition.ts';
import { type InputKind, inputFields } from './inputs.ts';

// Maps the names of an input to fields. A model with custom fields is a separate object, so the maps are cached by
// model.

type InputMap = Map<string, FieldDef>;

const maps = { create: new WeakMap<Model, InputMap>(), update: new WeakMap<Model, InputMap>() };

export function inputMap(registry: Registry, model: Model, operation: InputKind): InputMap {
  let map = maps[operation].get(model);
  if (!map) {
    map = new Map(inputFields(registry, model, operation).map((def) => [def.name, def]));
    maps[operation].set(model, map);
  }
  return map;
}

/** The input name of the engine's field `name`. Undefined if the inputs do not have it. */
export function inputName(registry: Registry, model: Model, name: string): string | undefined {
  for (const def of inputMap(registry, model, 'create').values())
    if (def.field!.name === name) return def.name;
  return undefined;
}
