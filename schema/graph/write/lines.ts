import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { filterLinkedIds } from '../../../src/engine/write/links/list-commands.ts';
import { errors } from '../../../src/errors.ts';

// An input can change, delete and detach listed records only if they belong to the input's own record.

export interface LineRecords {
  field: Field;
  target: Model;
  /** Id of the record that has the list. Null for the records that the mutation changes. */
  owner: number | null;
  claims: LineClaim[];
}

interface LineClaim {
  id: number;
  /** Path in the arguments. */
  path: string;
}

/**
 * Checks that listed records belong to their parents before anything changes, and locks the parents.
 * @param ids the records that the mutation changes; a listed record may belong to any of them
 * @throws MISSING if a record is not in the list or the caller cannot access it
 */
export async function checkLines(ctx: Ctx, model: Model, ids: number[], lines: LineRecords[]): Promise<void> {
  await assertRowsExist(ctx, model, ids, 'write', 'no key update');
  for (const { field, target, owner, claims } of lines) {
    const owners = owner === null ? ids : [owner];
    const lineIds = claims.map(({ id }) => id);
    const linkedIds = new Set(await filterLinkedIds(ctx, { field, target, owners }, lineIds));
    const foreignClaim = claims.find(({ id }) => !linkedIds.has(id));
    if (foreignClaim)
      throw errors.missing(target.name, [foreignClaim.id]).withDetails({ argument: foreignClaim.path });
  }
}
