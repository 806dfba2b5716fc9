import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { createWithName } from '../../data/create-with-name.ts';

export const partnerNameCreate = defineOperation('partnerNameCreate', {
  effects: ['writes'],
  standsFor: ['create'],
  address: 'res.partner/name_create',
  policy: { auth: ['USER'], scope: 'write', access: ['res.partner', 'create'] },
  description:
    'Creates a contact from a name, an email address, or both as `Ann Lee <ann@example.com>`. Returns its id ' +
    'and display name.',
  args: (arg) => ({ name: arg.string({ required: true, description: 'Name, email address, or both.' }) }),
  ...returnRecord('res.partner', facadeResult.json, ([id]: [number, string]) => id),
  run: (ctx, { name }) => createWithName(ctx, 'res.partner', { ...parseNameAndAddress(name) }),
});

const ADDRESS_AT_END = /<\s*([^\s<>@]+@[^\s<>@]+)\s*>$/;
const ADDRESS_PATTERN = /^[^\s<>@"]+@[^\s<>@"]+$/;

/** Parses a name and an address. Takes linear time, because the name is matched only before an address. */
export function parseNameAndAddress(text: string): { name: string; email?: string } {
  const trimmed = text.trim();
  const address = ADDRESS_AT_END.exec(trimmed);
  if (address) {
    const [, name] = /^"?([^"<>]*)"?$/.exec(trimmed.slice(0, address.index).trim()) ?? [];
    if (name !== undefined) return { name: name || address[1]!, email: address[1]! };
  }
  return ADDRESS_PATTERN.test(trimmed) ? { name: trimmed, email: trimmed } : { name: text };
}
