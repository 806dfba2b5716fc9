import type { GraphQLResolveInfo } from 'graphql';
import { canAccessModel } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { isListField } from '../../../src/engine/model/field.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import type { GraphRow } from '../../graph/read/rows.ts';
import { findIdsByPublicId, resolveRecords } from '../kit/resolve-records.ts';

const MODEL = 'svc.email';

/**
 * Returns the accepted emails. A send-only key receives only the emails' own fields; related fields return an error.
 */
export async function resolveSentEmails(
  ctx: Ctx,
  ids: string[],
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> {
  const model = getModel(ctx, MODEL);
  if (canAccessModel(ctx, model, 'read')) return resolveRecords(ctx, MODEL, ids, info);
  const numbers = await findIdsByPublicId(ctx, MODEL, ids);
  const ownFields = [...model.fields.values()].filter(
    (field) => !isListField(field) && !field.secret && !field.custom,
  );
  const emails = await searchRead(ctx.system(), {
    model: MODEL,
    domain: [['id', 'in', numbers]],
    fields: ownFields.map((field) => field.name),
    page: {},
    flavour: 'graph',
  });
  const byNumber = new Map(emails.value<GraphRow[]>().map((row) => [row.id, row]));
  return numbers.map((number) => byNumber.get(number)!);
}
