import { builder } from './builder.ts';

/** Names of stand-ins in the builder's schema, which the record graph puts its own types in place of. */
const PREFIX = 'RecordOf_';

const refs = new Map<string, ReturnType<typeof refOf>>();

/**
 * The type of a model's records, for the answer of a verb. Its values are rows as the record graph reads them (see
 * schema/graph); the type itself is made there. `builder.objectField` on it adds a field to that type; its resolver
 * gets a row that has the id for sure.
 */
export function recordRef(model: string): ReturnType<typeof refOf> {
  let ref = refs.get(model);
  if (!ref) {
    ref = refOf(model);
    refs.set(model, ref);
  }
  return ref;
}

const refOf = (model: string) =>
  builder.objectRef<{ id: number }>(PREFIX + model.replaceAll('.', '__')).implement({
    description: `Stands in for the type of the model ${model}.`,
    fields: (t) => ({ id: t.exposeID('id', { description: 'Record id.' }) }),
  });

/** The model that a stand-in is for; null for any other type. */
export const modelOfRef = (typeName: string): string | null =>
  typeName.startsWith(PREFIX) ? typeName.slice(PREFIX.length).replaceAll('__', '.') : null;
