import { readWholeBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { createMailAccessError } from '../accounts/member-access.ts';
import { MailError } from '../kit/operation.ts';
import type { MessageFile } from './inline-files.ts';

const MAX_ATTACHMENTS = 100;

interface StagedFileRow {
  id: number;
  name: string;
  mimetype: string;
  size: number;
  hash: string;
}

/**
 * Loads the caller's staged files with their contents, in the order of the ids.
 * @throws errors of `getStagedFileRows`
 */
export async function loadStagedFiles(ctx: Ctx, query: StagedFilesQuery): Promise<MessageFile[]> {
  const files: MessageFile[] = [];
  for (const { id, name, mimetype, hash } of await getStagedFileRows(ctx, query)) {
    const content = (await readWholeBlob(ctx, hash)).toString('base64');
    files.push({ stagedId: id, filename: name, content, contentType: mimetype });
  }
  return files;
}

interface StagedFilesQuery {
  accountId: number;
  attachmentIds: readonly number[];
  /** Scheduled message that the files are reserved for; null if none. */
  outgoingId: number | null;
}

/**
 * Finds the caller's staged files, in the order of the ids.
 * @throws ACCESS_ERROR if a file does not belong to the caller
 * @throws MailError if the files are too large in total
 */
export async function getStagedFileRows(
  ctx: Ctx,
  { accountId, attachmentIds, outgoingId }: StagedFilesQuery,
): Promise<StagedFileRow[]> {
  const distinctIds = [...new Set(attachmentIds)];
  if (distinctIds.length === 0) return [];
  if (distinctIds.length > MAX_ATTACHMENTS)
    throw new MailError(`attachment_ids: must contain at most ${MAX_ATTACHMENTS} attachments.`);
  const rows = await ctx.db.rows<StagedFileRow>(
    sql`select id, name, mimetype, size, hash from svc_mail_staged
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       and user_id = ${ctx.principal?.userId ?? 0} and id = any(${distinctIds}::int[])
       and outgoing_id is not distinct from ${outgoingId}::int`,
  );
  if (rows.length < distinctIds.length)
    throw createMailAccessError(ctx, 'Staged attachment', 'svc.mail.staged');
  if (rows.reduce((sum, { size }) => sum + size, 0) > limits.mail.attachmentBytes)
    throw new MailError(
      `The attachments are too large in total (maximum ${limits.mail.attachmentBytes / 1024 / 1024} MB).`,
    );
  return distinctIds.map((id) => rows.find((row) => row.id === id)!);
}

/** Deletes staged files in the transaction that sends them. @returns false if another send has used them */
export async function consumeStagedFiles(
  ctx: Ctx,
  { attachmentIds, outgoingId }: Omit<StagedFilesQuery, 'accountId'>,
): Promise<boolean> {
  const distinctIds = [...new Set(attachmentIds)];
  if (distinctIds.length === 0) return true;
  const rows = await ctx.db.rows(
    sql`delete from svc_mail_staged where workspace_id = ${ctx.workspace.id}
       and user_id = ${ctx.principal?.userId ?? 0} and id = any(${distinctIds}::int[])
       and outgoing_id is not distinct from ${outgoingId}::int returning id`,
  );
  return rows.length === distinctIds.length;
}
