import {
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  type DkimSigningAttributes,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  type SESv2Client,
  type Tag,
} from '@aws-sdk/client-sesv2';
import {
  type DomainIdentities,
  type DomainIdentity,
  type DomainStatus,
  MAIL_FROM_SUBDOMAIN,
} from './identities.ts';
import { createSesClient, type SesOptions } from './ses.ts';

const OWNER_TAG = 'atrium-workspace';

/** Manages SES v2 identities that sign with Atrium's DKIM keys. Sends no mail, so the SDK may retry. */
export function createSesIdentities(options: SesOptions): DomainIdentities {
  const client = createSesClient(options, 3);
  const loadIdentity = async (domain: string): Promise<DomainIdentity | null> => {
    try {
      return toDomainIdentity(await client.send(new GetEmailIdentityCommand({ EmailIdentity: domain })));
    } catch (error) {
      if (hasErrorName(error, 'NotFoundException')) return null;
      throw error;
    }
  };
  return {
    get: loadIdentity,
    async register(domain, owner, { selector, privateKey }) {
      const Tags = [{ Key: OWNER_TAG, Value: owner }];
      const signing = { DomainSigningSelector: selector, DomainSigningPrivateKey: privateKey };
      const newIdentity = await createIdentity(client, domain, Tags, signing);
      const identity = await loadIdentity(domain);
      if (!identity) throw new Error(`the provider does not recognize ${domain}, which it has just accepted`);
      if (newIdentity || identity.owner !== owner) return identity;
      // An earlier attempt registered the identity, but did not store the key.
      await client.send(
        new PutEmailIdentityDkimSigningAttributesCommand({
          EmailIdentity: domain,
          SigningAttributesOrigin: 'EXTERNAL',
          SigningAttributes: signing,
        }),
      );
      return (await loadIdentity(domain)) ?? identity;
    },
    async remove(domain, owner) {
      if ((await loadIdentity(domain))?.owner !== owner) return;
      try {
        await client.send(new DeleteEmailIdentityCommand({ EmailIdentity: domain }));
      } catch (error) {
        if (!hasErrorName(error, 'NotFoundException')) throw error;
      }
    },
    async setMailFrom(domain) {
      await client.send(
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: domain,
          MailFromDomain: `${MAIL_FROM_SUBDOMAIN}.${domain}`,
          BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
        }),
      );
    },
  };
}

/** @returns false if the account already has the identity */
async function createIdentity(
  client: SESv2Client,
  EmailIdentity: string,
  Tags: Tag[],
  DkimSigningAttributes: DkimSigningAttributes,
): Promise<boolean> {
  try {
    await client.send(new CreateEmailIdentityCommand({ EmailIdentity, Tags, DkimSigningAttributes }));
    return true;
  } catch (error) {
    if (hasErrorName(error, 'AlreadyExistsException')) return false;
    throw error;
  }
}

const hasErrorName = (error: unknown, name: string): boolean => (error as Error).name === name;

/** `VerificationStatus` may be SUCCESS before sending is allowed, so `VerifiedForSendingStatus` decides. */
function toDomainIdentity(response: GetEmailIdentityCommandOutput): DomainIdentity {
  const { DkimAttributes: dkim, MailFromAttributes: mailFrom, VerificationInfo: info } = response;
  const status = toDomainStatus(response.VerificationStatus);
  return {
    status: response.VerifiedForSendingStatus ? 'SUCCESS' : status === 'SUCCESS' ? 'PENDING' : status,
    dkimStatus: toDomainStatus(dkim?.Status),
    dkimTokens: dkim?.Tokens ?? [],
    mailFromStatus: mailFrom?.MailFromDomain ? toDomainStatus(mailFrom.MailFromDomainStatus) : null,
    error: info?.ErrorType ?? null,
    owner: response.Tags?.find((tag) => tag.Key === OWNER_TAG)?.Value ?? null,
  };
}

const DOMAIN_STATUSES = ['NOT_STARTED', 'PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE'];

const toDomainStatus = (text: string | undefined): DomainStatus =>
  (DOMAIN_STATUSES.includes(text ?? '') ? text : 'PENDING') as DomainStatus;
