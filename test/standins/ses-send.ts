import { randomUUID } from 'node:crypto';
import type { Account } from './ses-account.ts';
import { buildOkReply, fault, type Reply } from './ses-reply.ts';

/** A message accepted by SES. `raw` is null if bytes are not recorded. */
export interface AcceptedMessage {
  messageId: string;
  emailId: string | null;
  from: string;
  recipients: string[];
  configurationSet: string | null;
  tags: Record<string, string>;
  raw: Buffer | null;
  at: number;
}

interface SendBody {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  Content?: { Raw?: { Data?: string } };
  ConfigurationSetName?: string;
  EmailTags?: { Name: string; Value: string }[];
}

/** Headers that SES accepts only once. */
const SINGLE_HEADERS =
  /^(from|sender|reply-to|to|cc|bcc|subject|date|message-id|in-reply-to|references|mime-version|content-type|list-unsubscribe|auto-submitted):/i;

export function sendEmail(
  account: Account,
  body: Buffer,
  keepRaw: boolean,
  accept: (message: AcceptedMessage) => void,
): Reply {
  const message = JSON.parse(body.toString()) as SendBody;
  const data = message.Content?.Raw?.Data;
  if (data === undefined) return fault(400, 'BadRequestException', 'Only raw content is understood here.');
  const to = message.Destination ?? {};
  const recipients = [...(to.ToAddresses ?? []), ...(to.CcAddresses ?? []), ...(to.BccAddresses ?? [])];
  const from = message.FromEmailAddress ?? '';
  const raw = Buffer.from(data, 'base64');
  const head = raw.toString('latin1', 0, Math.min(Math.max(raw.indexOf('\r\n\r\n'), 0) || 16_384, 65_536));
  const rejection =
    findAddressFault(from, recipients) ??
    findHeaderFault(head) ??
    findAccountFault(account, message, from, recipients);
  if (rejection) return rejection;
  const throttle = account.throttle(recipients.length);
  if (throttle) return throttle;
  const messageId = `0100${randomUUID().replaceAll('-', '').slice(0, 12)}-${randomUUID()}-000000`;
  const emailId = /^x-atrium-email-id:[ \t]*(\S+)/im.exec(head)?.[1] ?? null;
  const tags = Object.fromEntries((message.EmailTags ?? []).map((tag) => [tag.Name, tag.Value]));
  const configurationSet = message.ConfigurationSetName ?? null;
  accept({
    messageId,
    emailId,
    from,
    recipients,
    configurationSet,
    tags,
    raw: keepRaw ? raw : null,
    at: Date.now(),
  });
  return buildOkReply({ MessageId: messageId });
}

function findAddressFault(from: string, recipients: string[]): Reply | null {
  if (recipients.length === 0) return fault(400, 'BadRequestException', 'Must have at least one recipient.');
  if (recipients.length > 50) return fault(400, 'BadRequestException', 'Recipient count exceeds 50.');
  const bad = [from, ...recipients].find((address) => !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address));
  return bad === undefined
    ? null
    : fault(400, 'BadRequestException', `Domain contains illegal character: ${bad}`);
}

function findHeaderFault(head: string): Reply | null {
  const usedNames = new Set<string>();
  for (const line of head.split('\r\n')) {
    const name = SINGLE_HEADERS.exec(line)?.[1]?.toLowerCase();
    if (name && usedNames.has(name)) return fault(400, 'BadRequestException', `Duplicate header '${name}'.`);
    if (name) usedNames.add(name);
  }
  return null;
}

function findAccountFault(
  account: Account,
  message: SendBody,
  from: string,
  recipients: string[],
): Reply | null {
  const failure = recipients
    .map((address) => account.modes.failures[address])
    .find((item) => item !== undefined);
  if (failure)
    return fault(failure.status ?? 400, failure.name, failure.message ?? `${failure.name} on request`);
  const set = message.ConfigurationSetName;
  if (set && !account.hasConfigurationSet(set)) {
    return fault(404, 'NotFoundException', `Configuration set <${set}> does not exist.`);
  }
  const unverified = account.unverified(from, recipients);
  if (unverified.length === 0) return null;
  const list = unverified.join(', ');
  return fault(
    400,
    'MessageRejected',
    `Email address is not verified. The following identities failed the check in region US-EAST-1: ${list}`,
  );
}
