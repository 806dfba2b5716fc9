import { addRecords, type Ctx } from '../kit/surface.ts';

/**
 * Creates the order sequence, the payment terms, and window actions for quotations and orders. Creates no taxes,
 * because they depend on the country.
 */
export async function addSaleInitialData(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'sale', 'ir.sequence', {
    seq_sale_order: { name: 'Sales Order', code: 'sale.order', prefix: 'S', padding: 5 },
  });
  await addRecords(ctx, 'account', 'account.payment.term', {
    account_payment_term_immediate: { name: 'Immediate Payment', note: 'Payment terms: Immediate Payment' },
    account_payment_term_15days: { name: '15 Days', note: 'Payment terms: 15 Days' },
    account_payment_term_30days: { name: '30 Days', note: 'Payment terms: 30 Days' },
    account_payment_term_end_following_month: {
      name: 'End of Following Month',
      note: 'Payment terms: End of Following Month',
    },
  });
  await addRecords(ctx, 'sale', 'ir.actions.act_window', {
    action_quotations: {
      name: 'Quotations',
      res_model: 'sale.order',
      view_mode: 'list,kanban,form,activity',
    },
    action_orders: {
      name: 'Sales Orders',
      res_model: 'sale.order',
      view_mode: 'list,kanban,form,activity',
      domain: "[('state', 'not in', ('draft', 'sent', 'cancel'))]",
    },
  });
}
