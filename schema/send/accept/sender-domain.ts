import { errors } from '../../../src/errors.ts';

/** A domain of the workspace that mail is to be sent from. */
export interface SenderDomain {
  id: number;
  name: string;
  status: string;
}

/**
 * Whether mail may be sent from the domain `name`. Pure.
 * @param domain the workspace's own of that name
 * @param bound the only domain that the key may send from; null for any
 * @throws FORBIDDEN for another domain than the key's; BAD_REQUEST for one that is not the workspace's, or not verified
 */
export function checkSender(name: string, domain: SenderDomain | undefined, bound: number | null): void {
  if (bound !== null && domain?.id !== bound)
    throw errors.notAllowed(`This key may not send from ${name}: it is bound to another domain.`);
  if (!domain)
    throw errors.badRequest(
      `from: the domain ${name} is not one of yours. Add it with POST /api/v1/domains, or have the operator ` +
        `run: npm run -s cli -- domain add ${name} --workspace <slug>`,
    );
  if (domain.status !== 'SUCCESS') throw errors.badRequest(`from: the domain ${name} is not verified yet.`);
}
