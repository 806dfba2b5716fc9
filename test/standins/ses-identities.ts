import type { Account } from './ses-account.ts';
import { buildOkReply, fault, type Reply } from './ses-reply.ts';

export type IdentityStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

export interface Identity {
  status: IdentityStatus;
  dkimStatus: IdentityStatus;
  mailFrom: string | null;
  mailFromStatus: IdentityStatus;
  /** Value of VerificationInfo, such as HOST_NOT_FOUND. */
  errorType: string | null;
  tags: { Key: string; Value: string }[];
  /** Selector and private key for BYODKIM. Null for keys managed by SES. */
  signing: { DomainSigningSelector?: string; DomainSigningPrivateKey?: string } | null;
}

export function createIdentity(status: IdentityStatus = 'PENDING', tags: Identity['tags'] = []): Identity {
  return {
    status,
    dkimStatus: status,
    mailFrom: null,
    mailFromStatus: 'PENDING',
    errorType: null,
    tags,
    signing: null,
  };
}

/** Handles routes below `identities`. Returns null if the route does not exist. */
export function routeIdentity(
  account: Account,
  method: string,
  [name, part]: string[],
  body: Buffer,
): Reply | null {
  if (!name) return method === 'GET' ? listIdentities(account) : createIdentityFromBody(account, body);
  const identity = account.identities.get(name);
  if (!identity) return fault(404, 'NotFoundException', `Email identity ${name} does not exist.`);
  if (part === 'mail-from' && method === 'PUT') {
    identity.mailFrom = (JSON.parse(body.toString()) as { MailFromDomain?: string }).MailFromDomain ?? null;
    return buildOkReply();
  }
  if (part === 'dkim' && method === 'PUT') {
    identity.signing =
      (JSON.parse(body.toString()) as { SigningAttributes?: Identity['signing'] }).SigningAttributes ?? null;
    return buildOkReply();
  }
  if (method === 'GET') return buildOkReply(describeIdentity(name, identity));
  if (method !== 'DELETE') return null;
  account.identities.delete(name);
  return buildOkReply();
}

const listIdentities = (account: Account): Reply =>
  buildOkReply({
    EmailIdentities: [...account.identities].map(([name, value]) => describeIdentity(name, value)),
  });

function createIdentityFromBody(account: Account, body: Buffer): Reply {
  const {
    EmailIdentity: name,
    Tags = [],
    DkimSigningAttributes = null,
  } = JSON.parse(body.toString()) as {
    EmailIdentity: string;
    Tags?: Identity['tags'];
    DkimSigningAttributes?: Identity['signing'];
  };
  if (!/^[^\s@]*@?[a-z0-9.-]+\.[a-z0-9-]+$/i.test(name))
    return fault(400, 'BadRequestException', `Invalid email identity ${name}.`);
  if (account.identities.has(name))
    return fault(400, 'AlreadyExistsException', `Email identity ${name} already exist.`);
  account.identities.set(name, { ...createIdentity('PENDING', Tags), signing: DkimSigningAttributes });
  return buildOkReply(describeIdentity(name, account.identities.get(name)!));
}

function describeIdentity(
  name: string,
  { status, dkimStatus, mailFrom, mailFromStatus, ...more }: Identity,
): object {
  return {
    IdentityType: name.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN',
    IdentityName: name,
    VerifiedForSendingStatus: status === 'SUCCESS',
    VerificationStatus: status,
    ...(more.errorType && { VerificationInfo: { ErrorType: more.errorType } }),
    DkimAttributes: {
      SigningEnabled: true,
      Status: dkimStatus,
      Tokens: more.signing
        ? [more.signing.DomainSigningSelector ?? '']
        : [1, 2, 3].map((n) => `token${n}${name.replace(/\W/g, '')}`),
      SigningAttributesOrigin: more.signing ? 'EXTERNAL' : 'AWS_SES',
    },
    MailFromAttributes: {
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      ...(mailFrom && { MailFromDomain: mailFrom, MailFromDomainStatus: mailFromStatus }),
    },
    Tags: more.tags,
  };
}
