import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { allocateNextNames } from '../../src/engine/write/sequence.ts';
import { isSet, linkId } from '../kit/values.ts';

export async function nameOrders(ctx: Ctx, list: Values[]): Promise<void> {
  const nameless = list.filter((values) => !isSet(values.name) || values.name === 'New');
  for (const [company, orders] of Map.groupBy(nameless, (values) => linkId(values.company_id))) {
    const names = await allocateNextNames(ctx, 'sale.order', orders.length, company);
    orders.forEach((values, index) => {
      // The workspace may have deleted the sequence.
      values.name = names?.[index] ?? 'New';
    });
  }
}
