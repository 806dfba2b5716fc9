import { defineModel } from '../../src/engine/model.ts';
import { ADMIN_GROUP } from '../../src/engine/policy.ts';
import { errors } from '../../src/errors.ts';
import { parseAddress } from '../../src/mail/address.ts';

defineModel('svc.suppression', {
  display: 'email',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'crwu' },
  graph: { type: 'Suppression', one: 'suppression', many: 'suppressions' },
  prepare: (_ctx, list) => {
    for (const values of list) if (typeof values.email === 'string') values.email = bareAddress(values.email);
  },
});

/**
 * An address as the list holds it: without a display name, in lower case, its domain in ASCII.
 * @throws VALIDATION for what is none
 */
export function bareAddress(text: string): string {
  const mailbox = parseAddress(text);
  if (!mailbox) throw errors.validation(`Not an email address: ${JSON.stringify(text.slice(0, 100))}.`);
  return mailbox.address.toLowerCase();
}
