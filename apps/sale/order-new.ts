import { allocateNextNames } from '../../src/engine/write/sequence.ts';
import { type Ctx, isSet, linkId, type Values } from '../kit/surface.ts';

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
