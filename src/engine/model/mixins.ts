import type { Field } from './field.ts';
import type { Model } from './model.ts';

interface Mixin {
  /** Column of ir.model that says whether a model has the mixin. */
  flag: string;
  /** What it adds to the model of this name. */
  fields(model: string): Field[];
}

const declared = new Map<string, Mixin>();

/** Declares an ability that models may have, such as that to have messages. */
export function defineMixin(name: string, mixin: Mixin): void {
  declared.set(name, mixin);
}

/** Column and name of every mixin. */
export const mixinFlags = (): { flag: string; mixin: string }[] =>
  [...declared].map(([mixin, { flag }]) => ({ flag, mixin }));

/** Adds the fields of the model's mixins. @throws Error for an undeclared one */
export function addMixins(model: Model): void {
  for (const name of model.options.mixins ?? []) {
    const mixin = declared.get(name);
    if (!mixin) throw new Error(`model ${model.name}: there is no mixin ${name}`);
    for (const field of mixin.fields(model.name)) model.fields.set(field.name, field);
  }
}
