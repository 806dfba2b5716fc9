import type { RecordValues } from './document.ts';
import type { ModelDescription } from './model.ts';

/** Returns the version of a record, which changes with each update. Null if the records have no versions. */
export const getVersion = ({ versionField }: ModelDescription, record: RecordValues): number | null =>
  versionField === null ? null : (record[versionField] as number);

/** Matches a record that still has the version. */
export const matchVersion = ({ versionField }: ModelDescription, version: number | null): object =>
  versionField === null ? {} : { [versionField]: { eq: version } };
