import { readWholeBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { notYours } from '../accounts/member-of.ts';
import { MailRefusal } from '../kit/refusal.ts';
import type { LetterFile } from './inline-files.ts';

interface Staged {
  id: number;
  name: string;
  mimetype: string;
  size: number;
  hash: string;
}

/** The caller's staged files with their contents, in the order of the ids; refused as by `checkedStaged`. */
export async function stagedFiles(ctx: Ctx, wanted: WantedFiles): Promise<LetterFile[]> {
  const files: LetterFile[] = [];
  for (const { id, name, mimetype, hash } of await checkedStaged(ctx, wanted)) {
    const content = (await readWholeBlob(ctx, hash)).toString('base64');
    files.push({ stagedId: id, filename: name, content, contentType: mimetype });
  }
  return files;
}

/** Staged files of a message. */
export interface WantedFiles {
  accountId: number;
  attachmentIds: readonly number[];
  /** The message to be sent later that they belong to; null for none. */
  outgoingId: number | null;
}

/**
 * The caller's staged files, in the order of the ids.
 * @throws ACCESS_ERROR for one that is not the caller's, MailRefusal when they are too large together
 */
export async function checkedStaged(
  ctx: Ctx,
  { accountId, attachmentIds, outgoingId }: WantedFiles,
): Promise<Staged[]> {
  const distinct = [...new Set(attachmentIds)];
  if (distinct.length === 0) return [];
  if (distinct.length > limits.mail.attachments)
    throw new MailRefusal(`attachment_ids: at most ${limits.mail.attachments} attachments.`);
  const rows = await ctx.db.rows<Staged>(
    sql`select id, name, mimetype, size, hash from svc_mail_staged
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       and user_id = ${ctx.principal?.userId ?? 0} and id = any(${distinct}::int[])
       and outgoing_id is not distinct from ${outgoingId}::int`,
  );
  if (rows.length < distinct.length) throw notYours(ctx, 'Staged attachment', 'svc.mail.staged');
  if (rows.reduce((sum, { size }) => sum + size, 0) > limits.mail.attachmentBytes)
    throw new MailRefusal(
      `The attachments are too large together: at most ${limits.mail.attachmentBytes / 1024 / 1024} MB.`,
    );
  return distinct.map((id) => rows.find((row) => row.id === id)!);
}

/** Takes the files away that go out, in the transaction of the send. @returns false when another send was first */
export async function takeStaged(
  ctx: Ctx,
  { attachmentIds, outgoingId }: Omit<WantedFiles, 'accountId'>,
): Promise<boolean> {
  const distinct = [...new Set(attachmentIds)];
  if (distinct.length === 0) return true;
  const rows = await ctx.db.rows(
    sql`delete from svc_mail_staged where workspace_id = ${ctx.workspace.id}
       and user_id = ${ctx.principal?.userId ?? 0} and id = any(${distinct}::int[])
       and outgoing_id is not distinct from ${outgoingId}::int returning id`,
  );
  return rows.length === distinct.length;
}
