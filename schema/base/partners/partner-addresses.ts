import { sql } from '../../../src/db/sql.ts';
import { getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { errors } from '../../../src/errors.ts';

const PartnerAddress = builder.objectRef<{ type: string; partnerId: number }>('PartnerAddress').implement({
  description: 'The contact for an address type.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Address type, such as `invoice`.' }),
    partnerId: t.exposeID('partnerId', { description: 'Id of the contact.' }),
  }),
});

export const partnerAddressGet = defineOperation('partnerAddressGet', {
  effects: ['reads'],
  address: 'res.partner/address_get',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    "Finds the contact for each address type among the contact's children, then among the children of its " +
    'company. Defaults to the contact itself.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true }),
    adrPref: arg.stringList({ description: 'Address types to find, such as `invoice` or `delivery`.' }),
  }),
  type: [PartnerAddress],
  returns: facadeResult.json,
  run: (ctx, { ids, adrPref: types }) => findAddresses(ctx, ids, types ?? []),
  answer: (_ctx, addresses) => Object.entries(addresses).map(([type, partnerId]) => ({ type, partnerId })),
});

interface AddressBookEntry {
  id: number;
  type: string | null;
  parent_id: number | null;
  is_company: boolean;
}

async function findAddresses(ctx: Ctx, ids: number[], types: string[]): Promise<Record<string, number>> {
  const [id] = ids;
  if (ids.length !== 1) throw errors.notSingle('res.partner', ids);
  await assertRowsExist(ctx, getReadableModel(ctx, 'res.partner'), [id!], 'read');
  const tree = await ctx.db.rows<AddressBookEntry>(
    sql`select c.id, c.type, c.parent_id, c.is_company from res_partner p
     join res_partner c on c.workspace_id = ${ctx.workspace.id} and c.active
       and c.commercial_partner_id = p.commercial_partner_id
     where p.workspace_id = ${ctx.workspace.id} and p.id = ${id} order by c.id`,
  );
  return pickAddresses(tree, id!, types);
}

/**
 * Maps address types to contacts: the first match below `id`, or else below its ancestors up to the company. Types
 * without a match use a contact of type `contact`, or else `id`.
 */
export function pickAddresses(
  tree: AddressBookEntry[],
  id: number,
  addressTypes: string[],
): Record<string, number> {
  const types = new Set([...addressTypes, 'contact']);
  const addressIds = new Map<string, number>();
  const visitedIds = new Set<number>();
  const visit = (contact: AddressBookEntry): void => {
    if (visitedIds.has(contact.id)) return;
    visitedIds.add(contact.id);
    if (contact.type && types.has(contact.type) && !addressIds.has(contact.type))
      addressIds.set(contact.type, contact.id);
    for (const child of tree) if (child.parent_id === contact.id && !child.is_company) visit(child);
  };
  const ancestorIds = new Set<number>();
  let current = tree.find((contact) => contact.id === id);
  while (current && !ancestorIds.has(current.id)) {
    ancestorIds.add(current.id);
    visit(current);
    const parent: number | null = current.is_company ? null : current.parent_id;
    current = tree.find((contact) => contact.id === parent);
  }
  const standard = addressIds.get('contact') ?? id;
  return Object.fromEntries([...types].map((type) => [type, addressIds.get(type) ?? standard]));
}
