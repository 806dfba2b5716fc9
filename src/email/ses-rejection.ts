import type { ThrottledResult } from './transport.ts';

type ThrottleScope = ThrottledResult['scope'];

/**
 * Returns the scope of other mail affected by an SES rejection that an operator can fix (account, configuration, sender
 * identity). Null if the rejection concerns the message.
 * @param from the sender's address
 */
export function findRejectionScope(name: string, message: string, from: string): ThrottleScope | null {
  switch (name) {
    case 'AccountSuspendedException':
      return 'account';
    case 'SendingPausedException':
      return /configuration set/i.test(message) ? 'set' : 'account';
    // The configuration set is the only resource of a SendEmail call that can be missing.
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

/** An unverified recipient in the sandbox causes the same name and text. Only the listed identities differ. */
function classifyRejectedMessage(message: string, from: string): ThrottleScope | null {
  if (/^sending (is )?(suspended|paused|disabled)/i.test(message)) return 'account';
  if (!/^email address is not verified/i.test(message)) return null;
  const identities = /check in region [^:]+:(.*)$/is.exec(message)?.[1] ?? from;
  const domain = getDomain(from);
  const isSender = identities.split(/[\s,<>]+/).some((identity) => getDomain(identity) === domain);
  return isSender ? 'domain' : null;
}

/** An IAM policy may deny a single identity or configuration set, which the message names. */
function classifyPermission(message: string): ThrottleScope | null {
  if (/:configuration-set\//.test(message)) return 'set';
  return /:identity\//.test(message) ? 'domain' : null;
}

const getDomain = (identity: string): string => identity.slice(identity.lastIndexOf('@') + 1).toLowerCase();
