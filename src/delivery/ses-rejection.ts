import type { ThrottledResult } from './transport.ts';

type ThrottleScope = ThrottledResult['scope'];

/**
 * What other mail a refusal of SES is about as well, which a person can mend (the account, the configuration, the
 * sender's identity); null where it is about the message. Pure.
 * @param from address of the sender
 */
export function findRejectionScope(name: string, message: string, from: string): ThrottleScope | null {
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
      return classifyRejectedMessage(message, from);
    case 'AccessDeniedException':
      return classifyPermission(message);
    default:
      return null;
  }
}

/** In the sandbox a recipient that is not verified has the same name and text; only the identities differ. */
function classifyRejectedMessage(message: string, from: string): ThrottleScope | null {
  if (/^sending (is )?(suspended|paused|disabled)/i.test(message)) return 'account';
  if (!/^email address is not verified/i.test(message)) return null;
  const identities = /check in region [^:]+:(.*)$/is.exec(message)?.[1] ?? from;
  const domain = getDomain(from);
  const isSender = identities.split(/[\s,<>]+/).some((identity) => getDomain(identity) === domain);
  return isSender ? 'domain' : null;
}

/** A policy of IAM may exclude one identity or configuration set, which it names. */
function classifyPermission(message: string): ThrottleScope | null {
  if (/:configuration-set\//.test(message)) return 'set';
  return /:identity\//.test(message) ? 'domain' : null;
}

const getDomain = (identity: string): string => identity.slice(identity.lastIndexOf('@') + 1).toLowerCase();
