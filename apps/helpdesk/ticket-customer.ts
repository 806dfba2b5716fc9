import { sql } from '../../src/db/sql.ts';
import { filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { extractAddress } from '../../src/message/address.ts';
import { isSet, linkIds } from '../kit/values.ts';

export const COPIED_FIELDS = {
  partner_name: 'name',
  partner_email: 'email',
  partner_phone: 'phone',
} as const;

/**
 * Copies the customers' details to their tickets. Skips customers that the caller may not read, and values that the
 * caller set.
 */
export async function fillCustomers(ctx: Ctx, list: Values[]): Promise<void> {
  const ids = await filterReadableIds(ctx, 'res.partner', linkIds(list, 'partner_id'));
  const rows =
    ids.length === 0
      ? []
      : await ctx.db.rows<{ id: number; name: string; email: string | null; phone: string | null }>(
          sql`select p.id, p.name, p.email, p.phone from res_partner p
           where p.workspace_id = ${ctx.workspace.id} and p.id = any(${ids})`,
        );
  const partners = new Map(rows.map((row) => [row.id, row]));
  for (const values of list) {
    const partner = partners.get(values.partner_id as number);
    if (partner)
      for (const [field, source] of Object.entries(COPIED_FIELDS))
        if (values[field] === undefined && isSet(partner[source])) values[field] = partner[source];
    normalizeEmail(values);
  }
}

function normalizeEmail(values: Values): void {
  if (!('partner_email' in values)) return;
  const { partner_email: email } = values;
  setHookValues(values, {
    partner_email_normalized: typeof email === 'string' ? extractAddress(email) : false,
  });
}
