import type { RecordValues } from './document.ts';
import type { FieldDescription, ModelDescription } from './model.ts';

// The optimistic lock: the version of a record is the time of its last change.

const findVersionField = ({ fields }: ModelDescription): FieldDescription | undefined =>
  fields.find(({ name, graphqlName }) => name === 'write_date' && graphqlName !== null);

/** Adds the version field to the fields to load. */
export const addVersionField = (model: ModelDescription, fields: FieldDescription[]): FieldDescription[] => {
  const field = findVersionField(model);
  return field && !fields.includes(field) ? [...fields, field] : fields;
};

/** Returns the key of the version in record values and conditions. Null if the model has no versions. */
export const getVersionKey = (model: ModelDescription): string | null =>
  findVersionField(model)?.graphqlName ?? null;

/** Returns the version of a record. Null if its model has no versions. */
export const getVersion = (model: ModelDescription, record: RecordValues): string | null => {
  const key = getVersionKey(model);
  return key === null ? null : ((record[key] as string | null | undefined) ?? null);
};

/**
 * Builds the condition that a record still has the version. The server compares only whole seconds, so a writer that
 * must not miss a change within the same second also compares the current version first.
 */
export const matchVersion = (model: ModelDescription, version: string | null): object =>
  version === null ? {} : { [getVersionKey(model)!]: { eq: version } };
