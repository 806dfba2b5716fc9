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

/** Returns the versions in the context of the call, if any. @throws BAD_VALUE */
export const getExpectedVersions = ({ context }: Ctx, ids: readonly number[]): RecordVersions | undefined =>
  context.expectedVersion && pairVersions(ids, context.expectedVersion);
