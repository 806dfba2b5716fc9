import { type Field, isStored } from './field.ts';
import type { Model } from './model.ts';

/** The text field that a record takes its name from, when callers may set it. */
export function nameField(model: Model): Field | undefined {
  return [model.display, 'name']
    .map((name) => (name === null ? undefined : model.fields.get(name)))
    .find(
      (field) =>
        field && isStored(field) && !field.readonly && (field.type === 'char' || field.type === 'text'),
    );
}
