import type { RecordValues } from './document.ts';
import type { ModelDescription } from './model.ts';

/** Returns the version of a record, which changes with each update, or null if the model has no versions. */
export const getVersion = ({ versionField }: ModelDescription, record: RecordValues): number | null =>
  versionField === null ? null : (record[versionField] as number);

/** Builds a filter that matches a record only if it still has the version. */
export const matchVersion = ({ versionField }: ModelDescription, version: number | null): object =>
  versionField === null ? {} : { [versionField]: { eq: version } };
