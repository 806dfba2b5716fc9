import type { Field } from './field.ts';
import type { Model } from './model.ts';

interface Mixin {
  /** Boolean column of ir.model that is true for models with this mixin. */
  flag: string;
  fields(model: string): Field[];
}

const mixins = new Map<string, Mixin>();

export function defineMixin(name: string, mixin: Mixin): void {
  mixins.set(name, mixin);
}

export const listMixinFlags = (): { flag: string; mixin: string }[] =>
  [...mixins].map(([mixin, { flag }]) => ({ flag, mixin }));

export function addMixins(model: Model): void {
  for (const name of model.options.mixins ?? []) {
    const mixin = mixins.get(name);
    if (!mixin) throw new Error(`model ${model.name}: unknown mixin ${name}`);
    for (const field of mixin.fields(model.name)) model.fields.set(field.name, field);
  }
}
