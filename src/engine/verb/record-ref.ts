import { builder } from './builder.ts';

/** Names of stand-ins in the builder's schema, which the record graph puts its own types in place of. */
const REF_PREFIX = 'RecordOf_';

const recordRefs = new Map<string, ReturnType<typeof createRecordRef>>();

/**
 * The type of a model's records, for the answer of a verb. Its values are rows as the record graph reads them (see
 * schema/graph); the type itself is made there. `builder.objectField` on it adds a field to that type; its resolver
 * gets a row that has the id for sure.
 */
export function getRecordRef(model: string): ReturnType<typeof createRecordRef> {
  let ref = recordRefs.get(model);
  if (!ref) {
    ref = createRecordRef(model);
    recordRefs.set(model, ref);
  }
  return ref;
}

const createRecordRef = (model: string) =>
  builder.objectRef<{ id: number }>(REF_PREFIX + model.replaceAll('.', '__')).implement({
    description: `Stands in for the type of the model ${model}.`,
    fields: (t) => ({ id: t.exposeID('id', { description: 'Record id.' }) }),
  });

/** The model that a stand-in is for; null for any other type. */
export const getRefModel = (typeName: string): string | null =>
  typeName.startsWith(REF_PREFIX) ? typeName.slice(REF_PREFIX.length).replaceAll('__', '.') : null;
