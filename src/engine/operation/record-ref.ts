import { builder } from './builder.ts';

/** Prefix of placeholder types in the builder's schema. The record graph replaces them with its own types. */
const REF_PREFIX = 'RecordOf_';

const recordRefs = new Map<string, ReturnType<typeof createRecordRef>>();

/**
 * Returns the type of a model's records, for operation responses. The record graph (see schema/graph) creates the type
 * and reads its rows. A field added with `builder.objectField` receives a row that always contains the id.
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
    description: `Placeholder for the type of the model ${model}.`,
    fields: (t) => ({ id: t.exposeID('id', { description: 'Record id.' }) }),
  });

export const getRefModel = (typeName: string): string | null =>
  typeName.startsWith(REF_PREFIX) ? typeName.slice(REF_PREFIX.length).replaceAll('__', '.') : null;
