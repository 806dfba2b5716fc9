import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { sanitizeFieldHtml } from '../../../src/engine/value/sanitize-html.ts';
import { describeExpectedVersion, lockVersion } from '../../../src/engine/write/versions.ts';
import { write } from '../../../src/engine/write/write.ts';
import { AppError } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberMailbox, type MemberMailbox } from '../accounts/member-access.ts';
import { parseName } from '../kit/name.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';

const MAX_SIGNATURE_CHARS = 100_000;
const MAX_AVATAR_BYTES = 2 * 1024 * 1024;

export const mailSignatureSave = defineOperation('mailSignatureSave', {
  effects: ['writes'],
  address: 'svc.mail.account/save_signature',
  policy: MAIL_WRITE_POLICY,
  description: "Sanitizes a mailbox's signature and saves it.",
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    signature: arg.string({
      required: true,
      description: `HTML, up to ${MAX_SIGNATURE_CHARS} characters. An empty string removes the signature.`,
    }),
    expectedVersion: arg.int({ description: describeExpectedVersion('mailbox') }),
  }),
  ...returnOutcome('MailSignatureSaved', 'Result of saving a signature.', {
    signature: { type: 'String', description: 'The sanitized signature.' },
    version: { type: 'Int', description: 'Version of the mailbox after the change.' },
  }),
  run: (ctx, { accountId, signature, expectedVersion }) =>
    catchMailError(() => saveSignature(ctx, accountId, signature, expectedVersion)),
});

async function saveSignature(
  ctx: Ctx,
  accountId: number,
  html: string,
  expectedVersion: number | null | undefined,
) {
  await getMemberMailbox(ctx, accountId);
  if (html.length > MAX_SIGNATURE_CHARS)
    throw new MailError(`A signature may have at most ${MAX_SIGNATURE_CHARS} characters.`);
  const signature = sanitizeSignature(html);
  return ctx.tx(async (tx) => {
    const row = sql`svc_mail_account where workspace_id = ${tx.workspace.id} and id = ${accountId}`;
    await lockVersion(tx, 'mailbox', row, expectedVersion);
    const version = await tx.db.value<number>(
      sql`update svc_mail_account set signature = ${signature}, row_version = row_version + 1, write_date = now(),
         write_uid = ${tx.principal!.userId}
       where workspace_id = ${tx.workspace.id} and id = ${accountId} returning row_version`,
    );
    return { signature, version };
  });
}

function sanitizeSignature(html: string): string {
  try {
    return sanitizeFieldHtml(html.replaceAll('\0', ''), 'signature');
  } catch (error) {
    if (error instanceof AppError) throw new MailError(error.message);
    throw error;
  }
}

export const mailProfileSave = defineOperation('mailProfileSave', {
  effects: ['writes'],
  address: 'svc.mail.account/save_profile',
  policy: MAIL_WRITE_POLICY,
  description: 'Saves the sender name of a mailbox you own, and your photo.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox that you own.' }),
    name: arg.string({ description: 'Sender name. Unchanged if omitted.' }),
    avatar: arg.string({
      description: 'Photo as base64. An empty string removes the photo. Unchanged if omitted.',
    }),
  }),
  ...returnOutcome('MailProfileSaved', 'Result of saving a profile.'),
  run: (ctx, { accountId, name, avatar }) =>
    catchMailError(() => saveProfile(ctx, accountId, name ?? null, avatar ?? null)),
});

async function saveProfile(ctx: Ctx, accountId: number, displayName: string | null, avatar: string | null) {
  const account = await getMemberMailbox(ctx, accountId);
  if (displayName !== null && !isOwner(ctx, account))
    throw new MailError('Only the owner of a mailbox can change its sender name.');
  const name = displayName === null ? null : parseName(displayName, limits.mail.senderName, 'mailbox');
  const image = avatar === null ? null : parseImage(avatar);
  await ctx.tx(async (tx) => {
    if (name !== null)
      await tx.db.rows(
        sql`update svc_mail_account set name = ${name}, write_date = now(), write_uid = ${tx.principal!.userId}
         where workspace_id = ${tx.workspace.id} and id = ${accountId}`,
      );
    if (image !== null)
      await write(tx.system(), 'res.users', [tx.principal!.userId!], { image_1920: image || false });
  });
  return {};
}

const isOwner = ({ principal }: Ctx, { owner_id }: MemberMailbox): boolean => owner_id === principal?.userId;

/** First characters of the Base64 data of each accepted image format. */
const IMAGE_PREFIXES = ['iVBORw0KGgo', '/9j/', 'R0lGOD', 'UklGR'];

/** @throws MailError if the data is too large or not an image */
function parseImage(base64: string): string {
  const base64Digits = base64.replace(/^data:image\/[a-z]+;base64,/, '').replace(/\s/g, '');
  if (base64Digits === '') return '';
  if (base64Digits.length > (MAX_AVATAR_BYTES * 4) / 3 + 4)
    throw new MailError(`A photo may be at most ${MAX_AVATAR_BYTES / 1024 / 1024} MB.`);
  if (
    !/^[A-Za-z0-9+/]+={0,2}$/.test(base64Digits) ||
    !IMAGE_PREFIXES.some((start) => base64Digits.startsWith(start))
  )
    throw new MailError('A photo must be a PNG, JPEG, GIF or WebP image as base64.');
  return base64Digits;
}
