import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { limits } from '../../../src/limits.ts';
import { type Mailbox, parseAddress } from '../../../src/message/address.ts';
import { processText } from '../../../src/text/process-text.ts';
import type { MemberMailbox } from '../accounts/member-access.ts';
import { MailError } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { loadPrefs } from '../settings/prefs.ts';
import { assertRecipientCount, parseRecipients } from './recipient-list.ts';

export const BODY_HTML_DESCRIPTION =
  'HTML body, which is sanitized. Takes precedence over `body`. An image whose URL is `cid:<id>` shows the staged ' +
  'attachment with this id.';

export interface SendInput {
  to: string;
  subject: string;
  body: string;
  cc: string;
  bcc: string;
  bodyHtml: string;
  attachmentIds: number[];
  /** Empty for the mailbox's main address. */
  fromAddress: string;
  /** Takes effect only if the caller's preferences enable the signature. */
  addSignature: boolean;
  inReplyTo: number | null;
}

/** Sets the defaults of omitted values. */
export const fillSendInput = (
  input: Pick<SendInput, 'to'> & { [Name in keyof SendInput]?: SendInput[Name] | null },
): SendInput => ({
  to: input.to,
  subject: input.subject ?? '',
  body: input.body ?? '',
  cc: input.cc ?? '',
  bcc: input.bcc ?? '',
  bodyHtml: input.bodyHtml ?? '',
  attachmentIds: input.attachmentIds ?? [],
  fromAddress: input.fromAddress ?? '',
  addSignature: input.addSignature ?? true,
  inReplyTo: input.inReplyTo ?? null,
});

export interface ComposedMessage {
  from: Mailbox;
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  subject: string;
  text: string;
  html: string | null;
  /** Unset if replies go to the sender. */
  replyTo?: string | null;
  headers?: Record<string, string>;
}

/**
 * Validates everything that needs neither the replied-to message nor files.
 * @throws MailError that names the problem
 */
export async function prepareMessage(
  ctx: Ctx,
  account: MemberMailbox,
  input: SendInput,
): Promise<ComposedMessage> {
  await requireComposerFeature(ctx, account, input);
  const lists = {
    to: parseRecipients('to', input.to),
    cc: parseRecipients('cc', input.cc),
    bcc: parseRecipients('bcc', input.bcc),
  };
  if (lists.to.length === 0) throw new MailError('to: at least one recipient is required.');
  assertRecipientCount(lists.to.length + lists.cc.length + lists.bcc.length);
  const bodies = await appendSignature(ctx, account.id, input, await buildBodies(ctx, input));
  return {
    from: await getSender(ctx, account, input),
    ...lists,
    subject: toSubject(input.subject),
    ...bodies,
  };
}

/** @throws MailError if the mailbox cannot send from the address */
async function getSender(
  ctx: Ctx,
  { id, name, address }: MemberMailbox,
  { fromAddress }: SendInput,
): Promise<Mailbox> {
  const requestedAddress = fromAddress.trim().toLowerCase();
  if (requestedAddress === '' || requestedAddress === address) return { name, address };
  const bareAddress = parseAddress(requestedAddress)?.address;
  const ownedAddress = await ctx.db.rows(
    sql`select 1 from svc_mail_address where workspace_id = ${ctx.workspace.id} and account_id = ${id}
     and address = ${bareAddress ?? null} and kind <> 'catch_all'`,
  );
  if (ownedAddress.length === 0)
    throw new MailError(
      `from_address: ${JSON.stringify(requestedAddress.slice(0, 100))} is not an address of the mailbox.`,
    );
  return { name, address: bareAddress! };
}

async function appendSignature(
  ctx: Ctx,
  accountId: number,
  input: SendInput,
  bodies: Pick<ComposedMessage, 'text' | 'html'>,
) {
  if (!input.addSignature) return bodies;
  const { signaturePolicy: policy, signaturePlacement } = await loadPrefs(ctx, ctx.principal?.userId ?? 0);
  if (policy === 'never' || (policy === 'new_only' && input.inReplyTo !== null)) return bodies;
  const [row] = await ctx.db.rows<{ signature: string }>(
    sql`select signature from svc_mail_account where workspace_id = ${ctx.workspace.id} and id = ${accountId}`,
  );
  return processText(ctx.workspace.id, 'insertSignature', bodies, row?.signature ?? '', signaturePlacement);
}

/** Requires the feature for Cc, Bcc, HTML and attachments. */
async function requireComposerFeature(ctx: Ctx, account: MemberMailbox, input: SendInput): Promise<void> {
  if (!input.cc && !input.bcc && !input.bodyHtml && input.attachmentIds.length === 0) return;
  await requireFeature(ctx, account.company_id, 'mail.composer2');
}

function toSubject(subject: string): string {
  const line = subject.replace(/[\r\n]+/g, ' ').trim();
  if (isLonger(line, limits.mail.subject))
    throw new MailError(`subject: must have at most ${limits.mail.subject} characters.`);
  return line;
}

/** HTML takes precedence, and its plain-text version is generated. */
async function buildBodies(
  { workspace }: Ctx,
  { body, bodyHtml }: SendInput,
): Promise<Pick<ComposedMessage, 'text' | 'html'>> {
  if (isLonger(body, limits.mail.body) || isLonger(bodyHtml, limits.mail.body))
    throw new MailError(`body: must have at most ${limits.mail.body.toLocaleString('en')} characters.`);
  if (!bodyHtml) return { text: body || '\n', html: null };
  const html = await processText(workspace.id, 'sanitizeFieldHtml', bodyHtml, 'body_html');
  return { text: (await processText(workspace.id, 'convertHtmlToText', html)) || '\n', html };
}
