import type { Ctx } from '../../src/engine/ctx.ts';
import { addRecords } from '../first-records.ts';

/** The numbers of orders, and terms of payment. Taxes are a matter of the country, so there are none. */
export async function found(ctx: Ctx): Promise<void> {
  await addSequence(ctx);
  await addRecords(ctx, 'account', 'account.payment.term', {
    account_payment_term_immediate: { name: 'Immediate Payment', note: 'Payment terms: Immediate Payment' },
    account_payment_term_15days: { name: '15 Days', note: 'Payment terms: 15 Days' },
    account_payment_term_30days: { name: '30 Days', note: 'Payment terms: 30 Days' },
    account_payment_term_end_following_month: {
      name: 'End of Following Month',
      note: 'Payment terms: End of Following Month',
    },
  });
}

/** Written as order-name.ts reads it, so that orders have names before anybody looks at the sequence. */
async function addSequence(ctx: Ctx): Promise<void> {
  await ctx.db.rows(
    `with made as (
       insert into ir_sequence (workspace_id, name, code, prefix, padding)
       select $1::int, 'Sales Order', 'sale.order', 'S', 5
       where not exists (select 1 from ir_sequence where workspace_id = $1 and code = 'sale.order') returning id, workspace_id
     ) insert into ir_model_data (workspace_id, module, name, model, res_id, noupdate)
       select $1, 'sale', 'seq_sale_order', 'ir.sequence', id, true from made on conflict do nothing`,
    [ctx.workspace.id],
  );
}
