import { defineModel } from '../../../src/engine/model/registry.ts';
import { errors } from '../../../src/errors.ts';
import { parseAddress } from '../../../src/message/address.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { ADMIN_READ_POLICY } from '../kit/policies.ts';

defineModel('svc.suppression', {
  group: 'data',
  display: 'email',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: {
    type: 'Suppression',
    one: 'suppression',
    many: 'suppressions',
    names: { create_date: 'createdAt' },
    policy: ADMIN_READ_POLICY,
    writes: false,
  },
});

/**
 * Normalizes an address: removes the display name, and converts it to lower case with an ASCII domain.
 * @throws BAD_REQUEST that names the argument `name`
 */
export function parseBareAddress(name: string, text: string): string {
  const address = parseAddress(text)?.address.toLowerCase();
  if (!address)
    throw errors.badRequest(`${name}: ${JSON.stringify(text.slice(0, 100))} is not a valid address.`);
  return address;
}
