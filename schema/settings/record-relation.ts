import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { toCamelCase } from '../../src/engine/model/naming.ts';
import { getRecordRef } from '../../src/engine/operation/record-ref.ts';
import { createRelationReader } from '../graph/read/rows.ts';

interface FieldBuilder {
  field(options: object): never;
}

/**
 * Builds a field for the record that a resource's column refers to. The record engine reads it with the caller's access
 * rights, in one statement for all rows of a list.
 * @param t field builder of a prismaObject
 */
export const buildRecordRelation = (
  t: unknown,
  { model, column, target }: { model: string; column: string; target: string },
  description: string,
): never =>
  (t as FieldBuilder).field({
    type: getRecordRef(target),
    nullable: true,
    description,
    select: { [column]: true },
    resolve: (row: Record<string, unknown>, args: unknown, ctx: Ctx, info: GraphQLResolveInfo) =>
      createRelationReader(getModel(ctx, model).fields.get(column)!)(
        { id: 0, [toCamelCase(column)]: row[column] },
        args,
        ctx,
        info,
      ),
  });

export const buildAuthorshipFields = (t: unknown, model: string) => ({
  createdBy: buildRecordRelation(
    t,
    { model, column: 'create_uid', target: 'res.users' },
    'User who created it; null for a key of the workspace, or if you cannot read the user.',
  ),
  updatedBy: buildRecordRelation(
    t,
    { model, column: 'write_uid', target: 'res.users' },
    'User who last changed it; null for a key of the workspace, or if you cannot read the user.',
  ),
});
