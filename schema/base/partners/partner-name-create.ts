import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { createWithName } from '../../data/create-with-name.ts';

export const partnerNameCreate = defineOperation('partnerNameCreate', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'res.partner/name_create',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Creates a contact from a name, an email address, or both as `Ann Lee <ann@example.com>`. Returns its id ' +
    'and display name.',
  args: (arg) => ({ name: arg.string({ required: true, description: 'Name, email address, or both.' }) }),
  ...returnRecord('res.partner', facadeResult.json, ([id]: [number, string]) => id),
  run: (ctx, { name }) => createWithName(ctx, 'res.partner', { ...parseNameAndAddress(name) }),
});

const MAILBOX = /^\s*"?([^"<>]*?)"?\s*<\s*([^\s<>@]+@[^\s<>@]+)\s*>\s*$/;
const ADDRESS = /^\s*([^\s<>@"]+@[^\s<>@"]+)\s*$/;

export function parseNameAndAddress(text: string): { name: string; email?: string } {
  const [, name, email] = MAILBOX.exec(text) ?? [];
  if (email) return { name: name || email, email };
  const [, alone] = ADDRESS.exec(text) ?? [];
  return alone ? { name: alone, email: alone } : { name: text };
}
