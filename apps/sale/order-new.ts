import type { Ctx } from '../../src/engine/ctx.ts';
import type { Values } from '../../src/engine/model.ts';
import { groupedBy, idOf, isSet } from '../values.ts';
import { takeNames } from './order-name.ts';

/** Orders without a name get the next ones of their company. */
export async function nameOrders(ctx: Ctx, list: Values[]): Promise<void> {
  const nameless = list.filter((values) => !isSet(values.name) || values.name === 'New');
  for (const [company, some] of groupedBy(nameless, (values) => idOf(values.company_id))) {
    const names = await takeNames(ctx, company, some.length);
    some.forEach((values, index) => {
      values.name = names[index];
    });
  }
}
