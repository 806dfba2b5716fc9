import type { Throttled } from './transport.ts';

type Scope = Throttled['scope'];

/**
 * What other mail a refusal of SES is about as well, which a person can mend (the account, the configuration, the
 * sender's identity); null where it is about the message. Pure.
 * @param from address of the sender
 */
export function scopeOfRefusal(name: string, message: string, from: string): Scope | null {
  switch (name) {
    case 'AccountSuspendedException':
      return 'account';
    case 'SendingPausedException':
      return /configuration set/i.test(message) ? 'set' : 'account';
    // SendEmail names nothing else that may be missing.
    case 'NotFoundException':
      return 'set';
    case 'MailFromDomainNotVerifiedException':
      return 'domain';
    case 'MessageRejected':
      return ofRejection(message, from);
    case 'AccessDeniedException':
      return ofPermission(message);
    default:
      return null;
  }
}

/** In the sandbox a recipient that is not verified has the same name and text; only the identities differ. */
function ofRejection(message: string, from: string): Scope | null {
  if (/^sending (is )?(suspended|paused|disabled)/i.test(message)) return 'account';
  if (!/^email address is not verified/i.test(message)) return null;
  const identities = /check in region [^:]+:(.*)$/is.exec(message)?.[1] ?? from;
  const domain = domainOf(from);
  const isSender = identities.split(/[\s,<>]+/).some((identity) => domainOf(identity) === domain);
  return isSender ? 'domain' : null;
}

/** A policy of IAM may exclude one identity or configuration set, which it names. */
function ofPermission(message: string): Scope | null {
  if (/:configuration-set\//.test(message)) return 'set';
  return /:identity\//.test(message) ? 'domain' : null;
}

const domainOf = (identity: string): string => identity.slice(identity.lastIndexOf('@') + 1).toLowerCase();
