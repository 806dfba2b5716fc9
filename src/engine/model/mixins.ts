import type { Field } from './field.ts';
import type { Model } from './model.ts';

/** What an ability, such as that to have messages, adds to the model of this name. */
type Mixin = (model: string) => Field[];

const declared = new Map<string, Mixin>();

/** Declares an ability that models may have. */
export function defineMixin(name: string, fields: Mixin): void {
  declared.set(name, fields);
}

/** Adds the fields of the model's mixins. @throws Error for one that nobody has declared */
export function addMixins(model: Model): void {
  for (const name of model.options.mixins ?? []) {
    const fields = declared.get(name);
    if (!fields) throw new Error(`model ${model.name}: there is no mixin ${name}`);
    for (const field of fields(model.name)) model.fields.set(field.name, field);
  }
}
