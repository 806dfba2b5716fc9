import type { RecordValues } from './document.ts';
import type { FieldDescription, ModelDescription } from './model.ts';

// Optimistic locking: a record's version is the time of its last change.

const findVersionField = ({ fields }: ModelDescription): FieldDescription | undefined =>
  fields.find(({ name, graphqlName }) => name === 'write_date' && graphqlName !== null);

export const addVersionField = (model: ModelDescription, fields: FieldDescription[]): FieldDescription[] => {
  const field = findVersionField(model);
  return field && !fields.includes(field) ? [...fields, field] : fields;
};

/** Returns the version's key in record values and conditions, or null if the model has no versions. */
export const getVersionKey = (model: ModelDescription): string | null =>
  findVersionField(model)?.graphqlName ?? null;

export const getVersion = (model: ModelDescription, record: RecordValues): string | null => {
  const key = getVersionKey(model);
  return key === null ? null : ((record[key] as string | null | undefined) ?? null);
};

/**
 * Matches a record that still has the version. The server compares whole seconds only, so a writer that must not miss a
 * change within the same second compares the current version first.
 */
export const matchVersion = (model: ModelDescription, version: string | null): object =>
  version === null ? {} : { [getVersionKey(model)!]: { eq: version } };
