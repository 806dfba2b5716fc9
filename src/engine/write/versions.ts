import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { RecordVersions } from './row.ts';

/**
 * Pairs ids with their expected versions, which are in the same order.
 * @throws BAD_VALUE unless there is one version for each id
 */
export function pairVersions(ids: readonly number[], versions: readonly number[]): RecordVersions {
  if (new Set(ids).size !== ids.length || ids.length !== versions.length)
    throw errors
      .badValue('Pass one expected version for each record, and each record once.')
      .withDetails({ argument: 'expectedVersion' });
  return new Map(ids.map((id, index) => [id, versions[index]!]));
}

/** Description of an `expectedVersion` argument. */
export const describeExpectedVersion = (noun: string): string =>
  `\`version\` of the ${noun} when you read it. If it was changed since, nothing is changed (\`STALE\`).`;

/** @throws STALE if the current version differs from the expected one. Null or undefined accepts any version. */
export function assertVersion(noun: string, version: number, expected: number | null | undefined): void {
  if (expected != null && expected !== version)
    throw errors.stale('expectedVersion', `The ${noun} now has version ${version}. Nothing was changed.`);
}

/**
 * Locks a row until the transaction ends, and checks its version. Does nothing without an expected version.
 * @param row the table and the condition that selects the row
 * @throws STALE
 */
export async function lockVersion(
  ctx: Ctx,
  noun: string,
  row: Sql,
  expected: number | null | undefined,
): Promise<void> {
  if (expected == null) return;
  const [locked] = await ctx.db.rows<{ row_version: number }>(
    sql`select row_version from ${row} for no key update`,
  );
  if (locked) assertVersion(noun, locked.row_version, expected);
}

/** Returns the versions in the context of the call, if any. @throws BAD_VALUE */
export const getExpectedVersions = ({ context }: Ctx, ids: readonly number[]): RecordVersions | undefined =>
  context.expectedVersion && pairVersions(ids, context.expectedVersion);
