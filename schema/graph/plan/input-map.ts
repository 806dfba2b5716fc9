import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef } from './definition.ts';
import { buildInputFields, type InputKind } from './inputs.ts';

// Maps names in an input to fields. Cached by model, because a model with custom fields is a separate object.

type InputMap = Map<string, FieldDef>;

const maps = { create: new WeakMap<Model, InputMap>(), update: new WeakMap<Model, InputMap>() };

export function buildInputMap(registry: Registry, model: Model, operation: InputKind): InputMap {
  let map = maps[operation].get(model);
  if (!map) {
    map = new Map(buildInputFields(registry, model, operation).map((def) => [def.name, def]));
    maps[operation].set(model, map);
  }
  return map;
}

/** @param name name of the engine's field */
export function getInputName(registry: Registry, model: Model, name: string): string | undefined {
  for (const def of buildInputMap(registry, model, 'create').values())
    if (def.field!.name === name) return def.name;
  return undefined;
}
