import { errors } from '../../../src/errors.ts';

export interface SenderDomain {
  id: number;
  name: string;
  status: string;
}

/**
 * Checks that mail can be sent from the domain `name`.
 * @param boundDomainId the only domain that the API key can send from; null for any
 * @throws FORBIDDEN for a domain other than the API key's
 * @throws BAD_REQUEST if the workspace does not have the domain, or it is not verified
 */
export function checkSender(
  name: string,
  domain: SenderDomain | undefined,
  boundDomainId: number | null,
): void {
  if (boundDomainId !== null && domain?.id !== boundDomainId)
    throw errors.notAllowed(
      `This API key cannot send from ${name}, because it is restricted to another domain.`,
    );
  if (!domain)
    throw errors.badRequest(
      `from: the domain ${name} is not registered in this workspace. Add it with POST /api/v1/domains, ` +
        `or have the operator run: npm run -s cli -- domain add ${name} --workspace <slug>`,
    );
  if (domain.status !== 'SUCCESS') throw errors.badRequest(`from: the domain ${name} is not verified yet.`);
}
