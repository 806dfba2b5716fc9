import { putBlob } from '../../../src/db/blobs/put.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';
import { detectMimetype } from '../../../src/media/mimetype.ts';
import { cleanFileName } from '../../base/uploads/upload.ts';
import { createMailAccessError, getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';

const MAX_STAGED_NAME_CHARS = 255;
/** Per user. */
const MAX_STAGED_FILES = 200;
const MAX_STAGED_BYTES = 200 * 1024 * 1024;
const STAGED_TTL_HOURS = 24;

/** Deletes staged files after a day. Their content is deleted along with the last reference to it. */
definePurgeJob('mail-staged-purge', '11 * * * *', {
  table: 'svc_mail_staged',
  time: 'create_date',
  before: sql`now() - make_interval(hours => ${sql.literal(STAGED_TTL_HOURS)})`,
  key: { id: 'bigint' },
  also: () => sql`t.outgoing_id is null`,
});

const MAX_ATTACHMENT_MB = limits.mail.attachmentBytes / 1024 / 1024;

export const mailAttach = defineOperation('mailAttach', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/compose_attach',
  policy: MAIL_WRITE_POLICY,
  description:
    `Stages a file of up to ${MAX_ATTACHMENT_MB} MB for a message that you are writing. The file is ` +
    `deleted after ${STAGED_TTL_HOURS} hours.`,
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to send the message from.' }),
    filename: arg.string({ required: true, description: 'Name of the file.' }),
    dataB64: arg.string({ required: true, description: 'Content as base64.' }),
  }),
  ...returnOutcome('MailAttached', 'Result of staging a file.', {
    attachmentId: { type: 'ID', description: 'Id of the staged file. Null if the call was rejected.' },
    name: { type: 'String', description: 'File name.' },
    mimetype: { type: 'String', description: 'Media type.' },
    size: { type: 'Int', description: 'Size in bytes.' },
  }),
  run: (ctx, { accountId, filename, dataB64 }) =>
    catchMailError(() => stageFile(ctx, accountId, filename, dataB64)),
});

async function stageFile(ctx: Ctx, accountId: number, filename: string, base64: string) {
  const account = await getMemberMailbox(ctx, accountId);
  await requireFeature(ctx, account.company_id, 'mail.composer2');
  const name = parseAttachmentName(filename);
  const content = decodeBase64(base64);
  await checkStagedQuota(ctx, content.length);
  const mimetype = detectMimetype(null, name, content, true);
  const { hash } = await putBlob(ctx, content);
  return stageContent(ctx, accountId, { name, mimetype, size: content.length, hash });
}

type StoredFile = Record<'name' | 'mimetype' | 'hash', string> & { size: number };

export async function stageContent(ctx: Ctx, accountId: number, { name, mimetype, size, hash }: StoredFile) {
  const id = await allocateId(ctx, 'svc_mail_staged');
  await ctx.db.rows(
    sql`insert into svc_mail_staged (workspace_id, id, account_id, user_id, name, mimetype, size, hash)
     values (${ctx.workspace.id}, ${id}, ${accountId}, ${ctx.principal!.userId}, ${name}, ${mimetype},
       ${size}, ${hash})`,
  );
  return { attachment_id: id, name, mimetype, size };
}

/** @throws MailError if the name is empty or too long */
export function parseAttachmentName(fileName: string): string {
  const name = cleanFileName(fileName);
  if (name === '') throw new MailError('filename: a name is required.');
  if (name.length > MAX_STAGED_NAME_CHARS)
    throw new MailError(`filename: must have at most ${MAX_STAGED_NAME_CHARS} characters.`);
  return name;
}

/** @throws MailError if the string is too long, or not Base64 */
function decodeBase64(base64: string): Buffer {
  const base64Digits = base64.replace(/\s/g, '').replace(/(?<!=)=+$/, '');
  if (Math.floor((base64Digits.length * 3) / 4) > limits.mail.attachmentBytes)
    throw new MailError(`An attachment may be at most ${MAX_ATTACHMENT_MB} MB.`);
  if (!/^[A-Za-z0-9+/]*$/.test(base64Digits) || base64Digits.length % 4 === 1)
    throw new MailError('data_b64: must be base64.');
  return Buffer.from(base64Digits, 'base64');
}

/** @throws MailError if the bytes exceed the caller's quota for staged files */
export async function checkStagedQuota(ctx: Ctx, bytes: number): Promise<void> {
  const [staged] = await ctx.db.rows<{ n: number; bytes: number }>(
    sql`select count(*)::int as n, coalesce(sum(size), 0)::int8 as bytes from svc_mail_staged
     where workspace_id = ${ctx.workspace.id} and user_id = ${ctx.principal!.userId}`,
  );
  if (staged!.n >= MAX_STAGED_FILES || staged!.bytes + bytes > MAX_STAGED_BYTES)
    throw new MailError(
      `At most ${MAX_STAGED_FILES} files and ${MAX_STAGED_BYTES / 1024 / 1024} MB can be staged. ` +
        'Discard some.',
    );
}

export const mailAttachDiscard = defineOperation('mailAttachDiscard', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  address: 'svc.mail.account/compose_attach_discard',
  policy: MAIL_WRITE_POLICY,
  description: 'Deletes a file that you have staged.',
  args: (arg) => ({ attachmentId: arg.recordId({ required: true, description: 'Staged file.' }) }),
  ...returnOutcome('MailAttachDiscarded', 'Result of deleting a staged file.'),
  run: (ctx, { attachmentId }) =>
    catchMailError(async () => {
      const droppedRows = await ctx.db.rows(
        sql`delete from svc_mail_staged where workspace_id = ${ctx.workspace.id} and id = ${attachmentId}
         and user_id = ${ctx.principal!.userId} and outgoing_id is null returning 1`,
      );
      if (droppedRows.length === 0) throw createMailAccessError(ctx, 'Staged attachment', 'svc.mail.staged');
      return {};
    }),
});
