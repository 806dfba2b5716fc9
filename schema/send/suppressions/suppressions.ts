import { defineModel } from '../../../src/engine/model/registry.ts';
import { errors } from '../../../src/errors.ts';
import { parseAddress } from '../../../src/mail/address.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { adminReads } from '../kit/policies.ts';

defineModel('svc.suppression', {
  display: 'email',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'crwu' },
  graph: {
    type: 'Suppression',
    one: 'suppression',
    many: 'suppressions',
    names: { create_date: 'createdAt' },
    policy: adminReads,
    writes: false,
  },
  prepare: (_ctx, list) => {
    for (const values of list) if (typeof values.email === 'string') values.email = bareAddress(values.email);
  },
});

/**
 * An address as the list holds it: without a display name, in lower case, its domain in ASCII.
 * @throws VALIDATION for what is none
 */
function bareAddress(text: string): string {
  const address = addressIn(text);
  if (!address) throw errors.validation(`Not an email address: ${JSON.stringify(text.slice(0, 100))}.`);
  return address;
}

/** The same of an argument of a verb. @throws BAD_REQUEST that names the argument */
export function bareArgument(name: string, text: string): string {
  const address = addressIn(text);
  if (!address)
    throw errors.badRequest(`${name}: not a valid address: ${JSON.stringify(text.slice(0, 100))}.`);
  return address;
}

const addressIn = (text: string): string | undefined => parseAddress(text)?.address.toLowerCase();
