import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { parseAddress } from '../../../src/message/address.ts';

/**
 * Returns the caller's login, the default recipient of a test email. @throws BAD_REQUEST if it is not an email address
 */
export function getOwnAddress(ctx: Ctx): string {
  const login = ctx.principal?.login ?? '';
  if (parseAddress(login)) return login;
  throw errors.badField(
    'to',
    `your login ${JSON.stringify(login)} is not an email address; pass an address to send the test to.`,
  );
}
