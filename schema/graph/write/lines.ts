import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { filterLinkedIds } from '../../../src/engine/write/list-commands.ts';
import { errors } from '../../../src/errors.ts';

// An input changes, deletes and releases the records in the lists of its own record, and those of no other.

/** Records that an input takes for those in a list. */
export interface LineRecords {
  field: Field;
  target: Model;
  /** The record with the list; null for the one that the mutation is for. */
  owner: number | null;
  claims: LineClaim[];
}

interface LineClaim {
  id: number;
  /** Where it stands in the arguments. */
  path: string;
}

/**
 * Makes sure of the lines before anything changes, and locks the records they are of.
 * @param ids the records that the mutation is for; it is enough that a line is one of them
 * @throws MISSING for a record that is in no such list, or out of the caller's reach
 */
export async function checkLines(ctx: Ctx, model: Model, ids: number[], lines: LineRecords[]): Promise<void> {
  await assertRowsExist(ctx, model, ids, 'write', 'no key update');
  for (const { field, target, owner, claims } of lines) {
    const owners = owner === null ? ids : [owner];
    const wanted = claims.map(({ id }) => id);
    const there = new Set(await filterLinkedIds(ctx, { field, target, owners }, wanted));
    const strange = claims.find(({ id }) => !there.has(id));
    if (strange) throw errors.missing(target.name, [strange.id]).withDetails({ argument: strange.path });
  }
}
