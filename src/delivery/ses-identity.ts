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
import { type DomainIdentity, type DomainStatus, type Identities, MAIL_FROM } from './identities.ts';
import { type SesOptions, sesClient } from './ses.ts';

/** Tag with the owner of an identity in the SES account. */
const OWNER = 'atrium-workspace';

/** Domains as identities of SES v2 that sign with our own DKIM keys. Nothing here sends, so the SDK may retry. */
export function sesIdentities(options: SesOptions): Identities {
  const client = sesClient(options, 3);
  const ask = async (domain: string): Promise<DomainIdentity | null> => {
    try {
      return identityOf(await client.send(new GetEmailIdentityCommand({ EmailIdentity: domain })));
    } catch (error) {
      if (isNamed(error, 'NotFoundException')) return null;
      throw error;
    }
  };
  return {
    ask,
    async register(domain, owner, { selector, privateKey }) {
      const Tags = [{ Key: OWNER, Value: owner }];
      const signing = { DomainSigningSelector: selector, DomainSigningPrivateKey: privateKey };
      const made = await create(client, domain, Tags, signing);
      const identity = await ask(domain);
      if (!identity) throw new Error(`the provider does not know ${domain}, which it just took`);
      if (made || identity.owner !== owner) return identity;
      // Made before our row was stored, so its key is lost.
      await client.send(
        new PutEmailIdentityDkimSigningAttributesCommand({
          EmailIdentity: domain,
          SigningAttributesOrigin: 'EXTERNAL',
          SigningAttributes: signing,
        }),
      );
      return (await ask(domain)) ?? identity;
    },
    async remove(domain, owner) {
      if ((await ask(domain))?.owner !== owner) return;
      try {
        await client.send(new DeleteEmailIdentityCommand({ EmailIdentity: domain }));
      } catch (error) {
        if (!isNamed(error, 'NotFoundException')) throw error;
      }
    },
    async setMailFrom(domain) {
      await client.send(
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: domain,
          MailFromDomain: `${MAIL_FROM}.${domain}`,
          BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
        }),
      );
    },
  };
}

/** @returns false when the account has it already */
async function create(
  client: SESv2Client,
  EmailIdentity: string,
  Tags: Tag[],
  DkimSigningAttributes: DkimSigningAttributes,
): Promise<boolean> {
  try {
    await client.send(new CreateEmailIdentityCommand({ EmailIdentity, Tags, DkimSigningAttributes }));
    return true;
  } catch (error) {
    if (isNamed(error, 'AlreadyExistsException')) return false;
    throw error;
  }
}

const isNamed = (error: unknown, name: string): boolean => (error as Error).name === name;

/** `VerificationStatus` may be SUCCESS while sending is not allowed yet; the gate goes by what may be sent. */
function identityOf(answer: GetEmailIdentityCommandOutput): DomainIdentity {
  const { DkimAttributes: dkim, MailFromAttributes: mailFrom, VerificationInfo: info } = answer;
  const said = statusOf(answer.VerificationStatus);
  return {
    status: answer.VerifiedForSendingStatus ? 'SUCCESS' : said === 'SUCCESS' ? 'PENDING' : said,
    dkimStatus: statusOf(dkim?.Status),
    dkimTokens: dkim?.Tokens ?? [],
    mailFromStatus: mailFrom?.MailFromDomain ? statusOf(mailFrom.MailFromDomainStatus) : null,
    error: info?.ErrorType ?? null,
    owner: answer.Tags?.find((tag) => tag.Key === OWNER)?.Value ?? null,
  };
}

const STATUSES = ['NOT_STARTED', 'PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE'];

const statusOf = (text: string | undefined): DomainStatus =>
  (STATUSES.includes(text ?? '') ? text : 'PENDING') as DomainStatus;
