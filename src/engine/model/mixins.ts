import type { Field } from './field.ts';
import type { Model } from './model.ts';

interface Mixin {
  /** Column of ir.model that says whether a model has the mixin. */
  flag: string;
  /** What it adds to the model of this name. */
  fields(model: string): Field[];
}

const mixins = new Map<string, Mixin>();

/** Declares an ability that models may have, such as that to have messages. */
export function defineMixin(name: string, mixin: Mixin): void {
  mixins.set(name, mixin);
}

/** Column and name of every mixin. */
export const listMixinFlags = (): { flag: string; mixin: string }[] =>
  [...mixins].map(([mixin, { flag }]) => ({ flag, mixin }));

/** Adds the fields of the model's mixins. @throws Error for an undeclared one */
export function addMixins(model: Model): void {
  for (const name of model.options.mixins ?? []) {
    const mixin = mixins.get(name);
    if (!mixin) throw new Error(`model ${model.name}: there is no mixin ${name}`);
    for (const field of mixin.fields(model.name)) model.fields.set(field.name, field);
  }
}
