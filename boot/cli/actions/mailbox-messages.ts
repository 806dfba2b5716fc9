import { createReadStream, createWriteStream } from 'node:fs';
import { access, open, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAILBOX_FULL } from '../../../schema/mailbox/accounts/quota.ts';
import { loadMailboxFolders } from '../../../schema/mailbox/organize/folder-change.ts';
import { exportWholeFolder } from '../../../schema/mailbox/transfer/export-folder.ts';
import { ensureTargetFolder } from '../../../schema/mailbox/transfer/imap-folder.ts';
import { type ImportedMail, importRaw } from '../../../schema/mailbox/transfer/import-raw.ts';
import { reparse } from '../../../schema/mailbox/transfer/reparse.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { countLeadBytes, detectFileKind, FILE_HEAD_BYTES } from '../../../src/message/mbox/file-kind.ts';
import { type MboxItem, readMbox } from '../../../src/message/mbox/read-mbox.ts';
import { createProgress } from '../progress.ts';
import { getMailboxId } from './mailbox.ts';
import { runInWorkspace } from './run-in-workspace.ts';

export interface ExportOptions {
  workspace: string;
  mailbox: string;
  folder: string;
}

export interface ImportOptions extends ExportOptions {
  skip?: string;
}

const IMPORT_BATCH_BYTES = 8 * 1024 * 1024;

/** Pass `next` to `--skip` to resume the import. */
interface ImportSummary {
  imported: number;
  duplicates: number;
  tooLarge: number;
  next: number;
}

/** @throws BAD_REQUEST if the file is unreadable or has no messages, NOT_FOUND for an unknown mailbox */
export async function importMbox(file: string, options: ImportOptions): Promise<ImportSummary> {
  const { workspace, mailbox, folder } = options;
  const skip = parseCount(options.skip, '--skip');
  await access(file).catch(() => {
    throw errors.badRequest(`Cannot read the file ${file}.`);
  });
  return runInWorkspace(
    workspace,
    'mail.import',
    { mailbox, folder, skip },
    (ctx) => importFile(ctx, file, options),
    false,
  );
}

async function importFile(
  ctx: Ctx,
  file: string,
  { mailbox, folder, skip }: ImportOptions,
): Promise<ImportSummary> {
  const items = await openMailFile(file);
  const accountId = await getMailboxId(ctx, mailbox);
  const folderId = await ensureTargetFolder(
    ctx,
    accountId,
    folder,
    folder.toLowerCase() === 'inbox' ? 'inbox' : 'folder',
  );
  const from = parseCount(skip, '--skip');
  const result: ImportSummary = { imported: 0, duplicates: 0, tooLarge: 0, next: from };
  const show = createProgress();
  let batch: ImportedMail[] = [];
  let bytes = 0;
  let readCount = 0;
  const flush = async () => {
    const entries = await importRaw(ctx, accountId, folderId, batch);
    if (entries.includes('full')) throw errors.user(MAILBOX_FULL);
    const filedCount = entries.filter((id) => id !== null).length;
    result.imported += filedCount;
    result.duplicates += entries.length - filedCount;
    result.next = readCount;
    batch = [];
    bytes = 0;
    show(`${readCount} messages read, ${result.imported} imported`);
  };
  try {
    for await (const item of items) {
      if (readCount++ < from) continue;
      if (item.kind === 'tooLarge') result.tooLarge++;
      else {
        batch.push({ raw: item.raw, received: item.date });
        bytes += item.raw.length;
      }
      if (bytes >= IMPORT_BATCH_BYTES || batch.length >= limits.mail.imported) await flush();
    }
    await flush();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw errors.user(`The import was interrupted: ${reason} Continue with --skip ${result.next}.`);
  }
  return result;
}

/**
 * Opens an mbox file, or an .eml file with a single message.
 * @throws BAD_REQUEST for any other file
 */
async function openMailFile(file: string): Promise<AsyncIterable<MboxItem>> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(FILE_HEAD_BYTES), 0, FILE_HEAD_BYTES, 0)
    .finally(() => handle.close());
  const kind = detectFileKind(buffer.subarray(0, bytesRead));
  if (kind === 'message' && /\.eml$/i.test(file)) return readSingleMessage(file);
  if (kind === 'mbox' || kind === 'empty') return readMbox(createReadStream(file), { limit });
  const reason = 'its first line must begin with "From "';
  const hint = kind === 'message' ? ' To import a single message, rename the file to .eml.' : '';
  throw errors.badRequest(`${file} is not an mbox file: ${reason}.${hint}`);
}

const limit = limits.mail.messageBytes;

async function* readSingleMessage(file: string): AsyncGenerator<MboxItem> {
  const { size } = await stat(file);
  const item = { sender: null, date: null, size };
  if (size > limit) {
    yield { kind: 'tooLarge', ...item };
    return;
  }
  const bytes = await readFile(file);
  yield { kind: 'message', ...item, raw: bytes.subarray(countLeadBytes(bytes)) };
}

/** @throws BAD_REQUEST if the file exists, NOT_FOUND for an unknown mailbox or folder */
export async function exportMbox(file: string, { workspace, mailbox, folder }: ExportOptions) {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw errors.badRequest(`The file ${file} already exists.`);
  return runInWorkspace(
    workspace,
    'mail.export',
    { mailbox, folder },
    async (ctx) => {
      const folders = await loadMailboxFolders(ctx, await getMailboxId(ctx, mailbox));
      const folderToExport = folders.find(({ name }) => name.toLowerCase() === folder.trim().toLowerCase());
      if (!folderToExport) throw errors.notFound(`Folder ${folder}`);
      const show = createProgress();
      let messages = 0;
      const mbox = exportWholeFolder(ctx, folderToExport.id, () => show(`${++messages} messages written`));
      await pipeline(Readable.from(mbox), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      return { file, messages };
    },
    false,
  );
}

/** @param after id of the last message to skip */
export const reparseMail = (workspace: string, all: boolean, after: string | undefined) =>
  runInWorkspace(
    workspace,
    'mail.reparse',
    { all },
    async (ctx) => {
      const show = createProgress();
      return reparse(ctx, { all, after: parseCount(after, '--after') }, ({ messages, last }) =>
        show(`${messages} messages read, last id ${last}`),
      );
    },
    false,
  );

function parseCount(text: string | undefined, option: string): number {
  if (text !== undefined && !/^\d{1,15}$/.test(text))
    throw errors.badRequest(`${option}: must be a whole number.`);
  return Number(text ?? 0);
}
